// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/start_page.h"

#include <QAbstractButton>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QPainterPath>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "views/recent_files_model.h"
#include "views/theme.h"

namespace ulp::gui {
namespace {

/// A large button: a picture of what it opens, a title and one sentence.
class ChoiceCard : public QAbstractButton {
  public:
    enum class Picture { Map, Model, Trace };

    ChoiceCard(Picture picture, const QString& title, const QString& text, QWidget* parent)
        : QAbstractButton(parent), m_picture(picture), m_body(text)
    {
        setText(title);
        setAccessibleDescription(text);
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        setAttribute(Qt::WA_Hover);
    }

    [[nodiscard]] QSize sizeHint() const override { return {240, 190}; }

  protected:
    void paintEvent(QPaintEvent* /*event*/) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const auto& theme = views::currentTheme();
        const bool hot = underMouse() || hasFocus();
        painter.setPen(QPen(hot ? theme.accent : theme.border, hot ? 1.6 : 1.0));
        painter.setBrush(isDown() ? theme.hover : theme.field);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 8, 8);
        paintPicture(painter, QRectF(20, 20, 56, 44));
        QFont bold = views::scaledFont(2);
        bold.setBold(true);
        painter.setFont(bold);
        painter.setPen(theme.text);
        painter.drawText(QRect(20, 78, width() - 40, 28), Qt::AlignLeft | Qt::AlignVCenter, text());
        painter.setFont(font());
        painter.setPen(theme.textMuted);
        painter.drawText(QRect(20, 108, width() - 40, height() - 116),
                         Qt::AlignLeft | Qt::TextWordWrap, m_body);
    }

  private:
    void paintPicture(QPainter& painter, const QRectF& box) const
    {
        const auto& theme = views::currentTheme();
        painter.setPen(Qt::NoPen);
        if (m_picture == Picture::Map) {
            static const char* const cells[] = {"000122", "001112", "011221", "111212"};
            for (int y = 0; y < 4; ++y) {
                for (int x = 0; x < 6; ++x) {
                    painter.setBrush(views::classFill(theme, cells[y][x] - '0' + 1));
                    painter.drawRect(QRectF(box.left() + x * 9.5, box.top() + y * 11, 8.5, 10));
                }
            }
            return;
        }
        painter.setBrush(m_picture == Picture::Model ? theme.classTwo : theme.classMany);
        if (m_picture == Picture::Model) {
            for (int i = 0; i < 3; ++i) {
                painter.setOpacity(1.0 - 0.3 * i);
                painter.drawRoundedRect(QRectF(box.left() + i * 6, box.top() + i * 15, 44, 11), 3,
                                        3);
            }
        } else {
            QPainterPath wave(QPointF(box.left(), box.center().y()));
            wave.cubicTo(box.left() + 14, box.top() - 10, box.left() + 14, box.bottom() + 10,
                         box.center().x(), box.center().y());
            wave.cubicTo(box.right() - 14, box.top() - 10, box.right() - 14, box.bottom() + 10,
                         box.right(), box.center().y());
            painter.strokePath(wave, QPen(theme.classMany, 3, Qt::SolidLine, Qt::RoundCap));
            painter.strokePath(wave.translated(4, 5),
                               QPen(theme.classTwo, 2, Qt::SolidLine, Qt::RoundCap));
        }
        painter.setOpacity(1.0);
    }

    Picture m_picture;
    QString m_body;
};

/// File name, then the folder in a muted colour; a missing file says so.
class RecentDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        using Model = views::RecentFilesModel;
        const auto& theme = views::currentTheme();
        const bool missing = index.data(Model::MissingRole).toBool();
        painter->save();
        const bool chosen = (option.state & QStyle::State_Selected) != 0 &&
                            (option.state & QStyle::State_HasFocus) != 0;
        if (chosen || (option.state & QStyle::State_MouseOver) != 0) {
            painter->fillRect(option.rect, theme.hover);
        }
        const QRect row = option.rect.adjusted(8, 0, -8, 0);
        const QString kind = index.data(Model::IsTraceRole).toBool() ? StartPage::tr("trace")
                                                                     : StartPage::tr("model");
        painter->setPen(theme.textMuted);
        painter->drawText(row, Qt::AlignLeft | Qt::AlignVCenter, kind);
        const QRect rest = row.adjusted(56, 0, 0, 0);
        const QString name = index.data().toString();
        painter->setPen(missing ? theme.textFaded : theme.text);
        painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, name);
        const int used = option.fontMetrics.horizontalAdvance(name) + 16;
        const QRect folder = rest.adjusted(used, 0, 0, 0);
        painter->setPen(theme.textMuted);
        painter->drawText(
            folder, Qt::AlignLeft | Qt::AlignVCenter,
            option.fontMetrics.elidedText(QFileInfo(index.data(Model::PathRole).toString()).path(),
                                          Qt::ElideMiddle, folder.width()));
        painter->restore();
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& /*index*/) const override
    {
        return {200, option.fontMetrics.height() + 10};
    }
};

QLabel* mutedLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setProperty("role", "muted");
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

StartPage::StartPage(views::RecentFilesModel* recent, QWidget* parent)
    : QWidget(parent), m_recent(recent)
{
    setProperty("helpTopic", "start");
    auto* outer = new QHBoxLayout(this);
    auto* column = new QWidget(this);
    column->setMaximumWidth(840);
    outer->addStretch(1);
    outer->addWidget(column, 8);
    outer->addStretch(1);
    auto* layout = new QVBoxLayout(column);
    layout->setSpacing(8);
    layout->addStretch(2);

    auto* title = new QLabel(QStringLiteral("Ulpscope"), column);
    QFont large = views::scaledFont(14);
    large.setBold(true);
    title->setFont(large);
    layout->addWidget(title);
    layout->addWidget(mutedLabel(tr("An oscilloscope for the last bit. Run one prompt many times, "
                                    "see where the runs part, why, and whether it matters."),
                                 column));
    layout->addSpacing(18);

    auto* cards = new QHBoxLayout;
    cards->setSpacing(16);
    const auto card = [&](ChoiceCard::Picture picture, const QString& name, const QString& text,
                          auto signal) {
        auto* button = new ChoiceCard(picture, name, text, column);
        connect(button, &QAbstractButton::clicked, this, signal);
        cards->addWidget(button);
    };
    card(ChoiceCard::Picture::Map, tr("Run the built-in model"),
         tr("A small story teller comes with the program. Nothing to download."),
         &StartPage::demoRequested);
    card(ChoiceCard::Picture::Model, tr("Open a model"),
         tr("A GGUF file of the llama family: F32, F16, BF16, Q8_0, Q4_0 or Q4_1."),
         &StartPage::openModelRequested);
    card(ChoiceCard::Picture::Trace, tr("Open a trace"),
         tr("A recorded session (.ulp): look at it, compare it, export it."),
         &StartPage::openTraceRequested);
    layout->addLayout(cards);

    m_error = new QLabel(column);
    m_error->setProperty("role", "error");
    m_error->setWordWrap(true);
    m_error->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_error->hide();
    layout->addWidget(m_error);
    layout->addSpacing(18);

    m_recentTitle = new QLabel(tr("Opened last").toUpper(), column);
    m_recentTitle->setProperty("role", "section");
    layout->addWidget(m_recentTitle);
    m_list = new QListView(column);
    m_list->setModel(recent);
    m_list->setItemDelegate(new RecentDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setMouseTracking(true);
    m_list->setAccessibleName(tr("Opened last"));
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    const auto open = [this](const QModelIndex& index) {
        emit fileRequested(index.data(views::RecentFilesModel::PathRole).toString());
    };
    connect(m_list, &QListView::clicked, this, open);
    layout->addWidget(m_list);
    layout->addSpacing(10);
    layout->addWidget(
        mutedLabel(tr("Drop a model or a trace anywhere on this window. For a model that people "
                      "run, packaging/get-smollm2 fetches SmolLM2-135M-Instruct (98 MB)."),
                   column));
    layout->addStretch(3);
    connect(recent, &QAbstractItemModel::modelReset, this, &StartPage::refreshRecent);
    refreshRecent();
}

void StartPage::showError(const QString& message)
{
    m_error->setText(message);
    m_error->setVisible(!message.isEmpty());
}

void StartPage::refreshRecent()
{
    const int rows = m_recent->rowCount();
    m_recentTitle->setVisible(rows > 0);
    m_list->setVisible(rows > 0);
    m_list->setFixedHeight(std::min(rows, 7) * (fontMetrics().height() + 10) + 4);
}

} // namespace ulp::gui
