// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the window's commands do.
#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMessageBox>
#include <QRegularExpression>
#include <QScrollArea>

#include "app/gui/help_window.h"
#include "app/gui/main_window.h"
#include "app/gui/picker.h"
#include "app/gui/session_view.h"
#include "app/gui/status_line.h"
#include "views/cell_panel.h"
#include "views/divergence_heatmap.h"
#include "views/filter_box.h"
#include "views/recent_files_model.h"
#include "views/run_panel.h"
#include "views/verdict_line.h"

namespace ulp::gui {

void MainWindow::connectActions()
{
    connectFileActions();
    connectRunActions();
    connectGoActions();
    connectViewActions();
    m_actions->on("palette", [this] { showPalette(); });
    const auto help = [this](const QString& topic) {
        if (m_help == nullptr) {
            m_help = new HelpWindow(this);
        }
        m_help->showTopic(topic);
    };
    m_actions->on("help", [this, help] {
        help(showsStartPage() ? QStringLiteral("start") : helpTopicOf(QApplication::focusWidget()));
    });
    m_actions->on("keyboard", [help] { help(QStringLiteral("keyboard")); });
    m_actions->on("about", [this] { showAbout(); });
    refreshActions();
}

void MainWindow::connectFileActions()
{
    m_actions->on("open", [this] { askOpen(); });
    m_actions->on("recent", [this] { pickRecent(); });
    m_actions->on("demo", [this] { openDemo(); });
    m_actions->on("save", [this] { askSave(); });
    m_actions->on("export", [this] { askExport(); });
    m_actions->on("closeSession", [this] { closeCurrentSession(); });
    m_actions->on("start", [this] { showStartPage(); });
    m_actions->on("quit", [this] { close(); });
    m_actions->on("copyText", [this] { m_cellPanel->copyAsText(); });
    m_actions->on("copyJson", [this] { m_cellPanel->copyAsJson(); });
    m_actions->on("copyCommand", [this] { m_cellPanel->copyAsCommand(); });
    m_actions->on("copyVerdict", [this] {
        QApplication::clipboard()->setText(activeView()->verdict()->plainText());
    });
    m_actions->on("filter", [this] {
        m_filter->setFocus(Qt::ShortcutFocusReason);
        m_filter->selectAll();
    });
    m_actions->on("popFilter", [this] { m_filter->popTerm(); });
}

void MainWindow::connectRunActions()
{
    m_actions->on("run", [this] { run(); });
    m_actions->on("stop", [this] {
        if (m_controller->busy()) {
            stop();
        } else if (!m_filter->popTerm()) {
            m_status->showNote({});
        }
    });
    m_actions->on("togglePolicy", [this] {
        setPolicy(m_runPanel->setup().settings.policy == Policy::Ordered ? Policy::Atomic
                                                                         : Policy::Ordered);
    });
    m_actions->on("reference", [this] { setReference(m_cursor.cursor().run); });
    m_actions->on("hideRun", [this] {
        if (Session* session = activeSession()) {
            const auto& hidden = session->options.hiddenRuns;
            const int run = m_cursor.cursor().run;
            setRunVisible(run, std::find(hidden.begin(), hidden.end(), run) != hidden.end());
        }
    });
    m_actions->on("editPrompt", [this] {
        m_actions->get("showRun")->setChecked(true);
        m_runPanel->focusPrompt();
    });
}

void MainWindow::connectGoActions()
{
    m_actions->on("next", [this] { activeView()->map()->goToNext(false); });
    m_actions->on("previous", [this] { activeView()->map()->goToPrevious(false); });
    m_actions->on("nextOrigin", [this] { activeView()->map()->goToNext(true); });
    m_actions->on("previousOrigin", [this] { activeView()->map()->goToPrevious(true); });
    m_actions->on("goto", [this] { showGoTo(); });
    m_actions->on("back", [this] { m_cursor.back(); });
    m_actions->on("forward", [this] { m_cursor.forward(); });
    for (const ActionSpec& spec : actionSpecs()) {
        if (!spec.windowKey) {
            m_actions->on(spec.id, [this, id = spec.id] { sendKeyToMap(id); });
        }
    }
    connect(&m_cursor, &views::CursorModel::historyChanged, this, [this](bool back, bool forward) {
        m_actions->get("back")->setEnabled(back);
        m_actions->get("forward")->setEnabled(forward);
    });
    m_actions->setEnabled({"back", "forward"}, false);
}

void MainWindow::connectViewActions()
{
    m_actions->on("zoomIn", [this] { activeView()->map()->zoomIn(); });
    m_actions->on("zoomOut", [this] { activeView()->map()->zoomOut(); });
    m_actions->on("fit", [this] { activeView()->map()->fit(); });
    m_actions->on("colour", [this] {
        const auto next = m_top->map()->colourMode() == views::ColourMode::Class
                              ? views::ColourMode::Magnitude
                              : views::ColourMode::Class;
        m_top->map()->setColourMode(next);
        m_bottom->map()->setColourMode(next);
    });
    m_actions->on("fold", [this] { activeView()->map()->toggleFold(); });
    m_actions->on("foldAll", [this] {
        m_top->map()->foldAll();
        m_bottom->map()->foldAll();
    });
    m_actions->on("unfoldAll", [this] {
        m_top->map()->unfoldAll();
        m_bottom->map()->unfoldAll();
    });
    m_actions->on("foldPrefill", [this] { activeView()->map()->togglePrefill(); });
    m_actions->on("compare", [this] {
        if (m_compared != 0) {
            compareWith(0);
        } else {
            pickSession(
                tr("Put beside this session…"), [this](int id) { compareWith(id); }, true);
        }
    });
    m_actions->on("sessions", [this] {
        pickSession(
            tr("Show session…"), [this](int id) { showSession(id); }, false);
    });
    const auto part = [this](const char* id, const QString& name, QWidget* panel) {
        QAction* action = m_actions->get(id);
        m_actions->onToggled(id, [this, name, panel](bool shown) {
            m_settings->setShown(name, shown);
            if (panel != nullptr) {
                panel->setVisible(shown);
            } else {
                refreshViews();
            }
        });
        action->setChecked(true); // the handler is in place: both states reach it
        action->setChecked(m_settings->shown(name, true));
    };
    part("showRun", QStringLiteral("run"), m_left);
    part("showCell", QStringLiteral("cell"), m_cellPanel);
    part("showDrift", QStringLiteral("drift"), nullptr);
    part("showChart", QStringLiteral("chart"), nullptr);
    part("showTokens", QStringLiteral("tokens"), nullptr);
    m_actions->on("themeSystem", [this] { setAppearance(AppearanceChoice::System); });
    m_actions->on("themeLight", [this] { setAppearance(AppearanceChoice::Light); });
    m_actions->on("themeDark", [this] { setAppearance(AppearanceChoice::Dark); });
    m_actions->get("themeSystem")->setChecked(m_settings->appearance() == AppearanceChoice::System);
    m_actions->get("themeLight")->setChecked(m_settings->appearance() == AppearanceChoice::Light);
    m_actions->get("themeDark")->setChecked(m_settings->appearance() == AppearanceChoice::Dark);
    m_actions->on("language", [this] { pickLanguage(); });
}

/// Menu entries for keys that belong to the map press them there.
void MainWindow::sendKeyToMap(const char* id)
{
    const auto& specs = actionSpecs();
    const auto spec = std::find_if(specs.begin(), specs.end(), [id](const ActionSpec& s) {
        return std::string_view(s.id) == id;
    });
    const QKeyCombination keys =
        QKeySequence::fromString(QLatin1String(spec->shortcut), QKeySequence::PortableText)[0];
    QKeyEvent press(QEvent::KeyPress, keys.key(), keys.keyboardModifiers());
    QApplication::sendEvent(activeView()->map(), &press);
}

void MainWindow::refreshActions()
{
    const bool hasSession = current() != nullptr && !showsStartPage();
    const Session* session = activeSession();
    const bool hasData = hasSession && session != nullptr && session->comparison != nullptr;
    m_actions->setEnabled({"save",        "export",      "copyText", "copyJson",   "copyCommand",
                           "copyVerdict", "next",        "previous", "nextOrigin", "previousOrigin",
                           "goto",        "reference",   "hideRun",  "fold",       "foldAll",
                           "unfoldAll",   "foldPrefill", "colour",   "zoomIn",     "zoomOut",
                           "fit",         "filter",      "popFilter"},
                          hasData);
    m_actions->setEnabled({"closeSession"}, hasSession);
    m_actions->setEnabled({"compare"}, m_compared != 0 || m_store.all().size() > 1);
    m_actions->setEnabled({"sessions"}, !m_store.all().empty());
    m_actions->setEnabled({"run"}, !m_controller->busy() && !showsStartPage());
}

void MainWindow::showPalette()
{
    std::vector<PickerEntry> entries;
    for (const ActionSpec& spec : actionSpecs()) {
        QAction* action = m_actions->get(spec.id);
        PickerEntry entry;
        entry.text = Actions::titleText(spec);
        entry.detail = Actions::keyText(spec);
        entry.enabled = action->isEnabled();
        entry.take = [action] { action->trigger(); };
        entries.push_back(std::move(entry));
    }
    (new Picker(tr("What do you want to do?"), std::move(entries), this))->show();
}

void MainWindow::showGoTo()
{
    const Session* session = activeSession();
    if (session == nullptr || !session->comparison) {
        return;
    }
    const compare::ComparisonPtr comparison = session->comparison;
    const auto& ops = comparison->snapshot().ops;
    std::vector<PickerEntry> entries;
    for (std::size_t op = 0; op < ops.size(); ++op) {
        PickerEntry entry;
        entry.text = QString::fromStdString(ops[op].name);
        entry.detail = ops[op].layer < 0 ? QString() : tr("layer %1").arg(ops[op].layer);
        entry.take = [this, op] {
            views::CellCursor cell = m_cursor.cursor();
            cell.op = static_cast<int>(op);
            m_cursor.moveTo(cell);
        };
        entries.push_back(std::move(entry));
    }
    auto* picker = new Picker(tr("A step (12, -3) or an op (ffn_out-2)"), std::move(entries), this);
    picker->setTyped([this, comparison](const QString& text) {
        static const QRegularExpression number(
            QStringLiteral("^\\s*(?:step\\s+)?(-?\\d{1,9})\\s*$"));
        std::vector<PickerEntry> typed;
        const QRegularExpressionMatch match = number.match(text);
        if (match.hasMatch()) {
            const std::int64_t step = match.captured(1).toLongLong();
            const std::int64_t column = step + comparison->promptTokens() - 1;
            PickerEntry entry;
            entry.text = tr("step %1").arg(step);
            entry.enabled = column >= 0 && column < comparison->columns();
            entry.detail = entry.enabled ? QString() : tr("there is no such step");
            entry.take = [this, column] {
                views::CellCursor cell = m_cursor.cursor();
                cell.column = column;
                m_cursor.moveTo(cell);
            };
            typed.push_back(std::move(entry));
        }
        return typed;
    });
    picker->show();
}

void MainWindow::pickSession(const QString& hint, std::function<void(int)> take, bool others)
{
    std::vector<PickerEntry> entries;
    for (const auto& session : m_store.all()) {
        if (others && session->id == m_current) {
            continue;
        }
        PickerEntry entry;
        entry.text = session->title();
        entry.detail = session->comparison
                           ? views::verdictWord(audit::verdictStatus(*session->comparison))
                           : QString();
        entry.take = [take, id = session->id] { take(id); };
        entries.insert(entries.begin(), std::move(entry)); // the newest first
    }
    (new Picker(hint, std::move(entries), this))->show();
}

void MainWindow::pickRecent()
{
    refreshRecent();
    std::vector<PickerEntry> entries;
    for (const views::RecentFile& file : m_recent->files()) {
        PickerEntry entry;
        entry.text = QFileInfo(file.path).fileName();
        entry.detail = file.missing ? tr("missing") : QFileInfo(file.path).path();
        entry.enabled = !file.missing;
        entry.take = [this, path = file.path] { openFile(path); };
        entries.push_back(std::move(entry));
    }
    (new Picker(tr("Open again…"), std::move(entries), this))->show();
}

void MainWindow::pickLanguage()
{
    std::vector<PickerEntry> entries;
    const std::pair<QString, QString> languages[] = {
        {tr("Language of the system"), QString()},
        {QStringLiteral("English"), QStringLiteral("en")},
        {QStringLiteral("简体中文"), QStringLiteral("zh_CN")}};
    for (const auto& [name, code] : languages) {
        PickerEntry entry;
        entry.text = name;
        entry.detail = m_settings->language() == code ? tr("chosen") : QString();
        entry.take = [this, code = code] {
            m_settings->setLanguage(code);
            m_status->showNote(tr("The language changes when Ulpscope is started again."));
        };
        entries.push_back(std::move(entry));
    }
    (new Picker(tr("Language"), std::move(entries), this))->show();
}

void MainWindow::showAbout()
{
    QMessageBox::about(
        this, tr("About Ulpscope"),
        tr("<h3>Ulpscope %1</h3><p>An oscilloscope for the last bit of large-language-model "
           "inference.</p><p>Arithmetic contract %2. Qt %3.</p><p>GNU General Public License, "
           "version 3 or later.</p>")
            .arg(QStringLiteral(ULPSCOPE_VERSION))
            .arg(kContractVersion)
            .arg(QLatin1String(qVersion())));
}

} // namespace ulp::gui
