// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The inspector's window: toolbar, run panel, one or two session views, cell panel, status line.
// It holds the sessions and asks the engine controller for everything that takes time.
// Thread-safety: GUI thread. Ownership: owns all of the above; settings are the caller's.
#pragma once

#include <functional>
#include <memory>

#include <QMainWindow>

#include "app/gui/actions.h"
#include "app/gui/engine_controller.h"
#include "app/gui/gui_settings.h"
#include "app/gui/session.h"
#include "views/axis.h"
#include "views/cursor.h"

class QButtonGroup;
class QScrollArea;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace ulp::views {
class CellPanel;
class FilterBox;
class LayerChart;
class RecentFilesModel;
class RunPanel;
class RunsModel;
} // namespace ulp::views

namespace ulp::gui {

class HelpWindow;
class SessionView;
class StartPage;
class StatusLine;

enum class CloseChoice { Save, Discard, KeepRunning };

/// The few questions that need a dialog, so that tests answer them.
struct Questions {
    std::function<CloseChoice(QWidget*)> closeWhileRunning;
    std::function<QString(QWidget*, const QString& filters)> openPath;
    std::function<QString(QWidget*, const QString& suggested, const QString& filters)> savePath;
};
[[nodiscard]] Questions realQuestions();

class MainWindow : public QMainWindow {
    Q_OBJECT

  public:
    MainWindow(EnginePort port, GuiSettings* settings, Questions questions = realQuestions(),
               QWidget* parent = nullptr);
    ~MainWindow() override;

    void openFile(const QString& path); // model or trace, told apart by content
    void openModel(const QString& path);
    void openDemo();
    void run();
    void stop();
    void showStartPage();
    void exportReport(const QString& path);
    void showSession(int id);
    /// Two sessions one above the other, the older on top; 0 goes back to one.
    void compareWith(int id);
    void setSetup(const views::RunSetup& setup);

    [[nodiscard]] Actions& actions() { return *m_actions; }
    [[nodiscard]] SessionStore& sessions() { return m_store; }
    [[nodiscard]] Session* current() { return m_store.find(m_current); }
    [[nodiscard]] SessionView* view() const { return m_top; }
    [[nodiscard]] SessionView* secondView() const { return m_bottom; }
    [[nodiscard]] views::RunPanel* runPanel() const { return m_runPanel; }
    [[nodiscard]] views::CellPanel* cellPanel() const { return m_cellPanel; }
    [[nodiscard]] views::FilterBox* filterBox() const { return m_filter; }
    [[nodiscard]] views::CursorModel& cursor() { return m_cursor; }
    [[nodiscard]] StatusLine* statusLine() const { return m_status; }
    [[nodiscard]] EngineController& controller() { return *m_controller; }
    [[nodiscard]] bool showsStartPage() const;

  protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    enum class Closing { No, Stopping, Saving };

    // main_window.cpp: what is where
    void buildToolBar();
    QWidget* buildPolicySwitch();
    QWidget* buildLeftPanel();
    QWidget* buildCentre();
    void restoreState();
    void storeState();
    void setAppearance(AppearanceChoice choice);

    // main_window_actions.cpp: what commands do
    void connectActions();
    void connectFileActions();
    void connectRunActions();
    void connectGoActions();
    void connectViewActions();
    void sendKeyToMap(const char* id);
    void showPalette();
    void showGoTo();
    void pickSession(const QString& hint, std::function<void(int)> take, bool others);
    void pickRecent();
    void pickLanguage();
    void showAbout();
    void refreshActions();

    // main_window_sessions.cpp: sessions and updates
    void connectController();
    void applyUpdate(const SessionUpdate& update);
    void endSession(int id, SessionState state, const std::optional<Error>& error);
    void refreshViews();
    void refreshSelector();
    void refreshCursorViews();
    void refreshTitles();
    void placeCursor(Session& session);
    void applyFilter();
    void setReference(int run);
    void setRunVisible(int run, bool visible);
    void tryExperiment(const QString& field, const QString& value);
    void updateRunButton();
    void setPolicy(Policy policy);
    [[nodiscard]] SessionView* activeView() const;
    [[nodiscard]] Session* activeSession();

    // main_window_files.cpp: opening, saving, closing
    void askOpen();
    void openTrace(const QString& path);
    void askSave();
    void askExport();
    void closeCurrentSession();
    void finishClosing();
    void rememberFile(const QString& path);
    void refreshRecent();

    GuiSettings* m_settings;
    Questions m_questions;
    SessionStore m_store;
    views::CursorModel m_cursor;
    views::StepAxis m_axis;
    EngineController* m_controller = nullptr;
    Actions* m_actions = nullptr;

    QStackedWidget* m_stack = nullptr;
    StartPage* m_start = nullptr;
    QSplitter* m_columns = nullptr;
    QSplitter* m_centre = nullptr;
    QScrollArea* m_left = nullptr;
    views::RunPanel* m_runPanel = nullptr;
    views::RunsModel* m_runsModel = nullptr;
    views::RecentFilesModel* m_recent = nullptr;
    SessionView* m_top = nullptr;
    SessionView* m_bottom = nullptr;
    views::CellPanel* m_cellPanel = nullptr;
    views::LayerChart* m_layerChart = nullptr;
    views::FilterBox* m_filter = nullptr;
    QToolButton* m_runButton = nullptr;
    QToolButton* m_stopButton = nullptr;
    QToolButton* m_selector = nullptr;
    QToolButton* m_atomic = nullptr;
    QToolButton* m_ordered = nullptr;
    QToolButton* m_morePolicies = nullptr;
    StatusLine* m_status = nullptr;
    HelpWindow* m_help = nullptr;

    int m_current = 0;  // session shown; 0: none
    int m_compared = 0; // session beside it; 0: none
    bool m_bottomActive = false;
    int m_cursorPlaced = 0; // session whose first divergence the cursor was put on
    Closing m_closing = Closing::No;
    bool m_saveOnClose = false;
};

} // namespace ulp::gui
