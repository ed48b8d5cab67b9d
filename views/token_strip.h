// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The texts of a session, one line for each class of runs, aligned by step. The first differing
// token is outlined, near-ties are dotted, text after a flip is faded, blanks and control tokens
// are made visible. A class unfolds into its runs. Thread-safety: GUI thread. Ownership: Qt's; the
// cursor model outlives the strip.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include <QAbstractScrollArea>

#include "engine/compare/comparison.h"
#include "views/cursor.h"

namespace ulp::views {

class TokenStrip : public QAbstractScrollArea {
    Q_OBJECT

  public:
    static constexpr int kMargin = 14; // left and right of the text
    static constexpr int kTop = 10;

    explicit TokenStrip(CursorModel* cursor, QWidget* parent = nullptr);
    /// `driftSeen` as compare::largestDrift() gives it.
    void setComparison(const compare::ComparisonPtr& comparison, double driftSeen);
    void setUnfolded(int classIndex, bool unfolded);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// The lines as they stand on the screen, for tests and for copying.
    [[nodiscard]] QStringList lineTexts() const;
    /// The token that each line outlines, -1 for none: where it leaves the reference run's text;
    /// the lines that never do outline the first place where another does.
    [[nodiscard]] std::vector<std::int64_t> outlinedPositions() const;
    /// Generated tokens after whose choice a flip could have happened by the drift seen.
    [[nodiscard]] int nearTies() const;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    struct Token {
        std::int32_t id = -1;
        QString text;
        bool symbol = false; // made visible: drawn muted
        float width = 0.0F;
    };
    struct Line {
        int classIndex = 0;
        int run = 0;             // index into snapshot.runs
        bool isClass = false;    // heads its class
        bool sameTokens = false; // as class A, with other bits
        QString label;
        std::vector<const Token*> tokens; // [positions]; null where the run has none
        std::int64_t flip = -1; // position where its tokens leave the reference's; -1: never
    };

    void rebuild();
    void addLine(int classIndex, int run, bool isClass);
    const Token* tokenOf(std::int32_t id);
    void layoutColumns();
    void updateScrollBars();
    void reveal(std::int64_t position);
    [[nodiscard]] std::int64_t positionOfColumn(std::int64_t column) const;
    [[nodiscard]] std::int64_t columnOfPosition(std::int64_t position) const;
    [[nodiscard]] std::int64_t positionAt(double x) const;
    [[nodiscard]] int lineAt(int y) const;
    [[nodiscard]] bool isNearTie(std::int64_t position) const;
    [[nodiscard]] QString toolTipAt(const QPoint& pos) const;
    void paintLine(QPainter& painter, const Line& line, int y);
    void paintToken(QPainter& painter, const Line& line, std::int64_t position, double x, int y);
    void paintLabel(QPainter& painter, const Line& line, int y);
    [[nodiscard]] int lineHeight() const;
    [[nodiscard]] int labelWidth() const;
    [[nodiscard]] int pillWidth() const;

    CursorModel* m_cursor;
    compare::ComparisonPtr m_comparison;
    double m_driftSeen = 0.0;
    std::set<int> m_unfolded;
    std::unordered_map<std::int32_t, Token> m_tokens;
    std::vector<Line> m_lines;
    std::vector<double> m_x; // [positions + 1], left edges
    std::int64_t m_promptTokens = 0;
    std::int64_t m_flip = -1; // position of the first differing token
    int m_labelWidth = 0;
};

} // namespace ulp::views
