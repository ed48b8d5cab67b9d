// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text_format.h"

#include <cmath>

#include <QRegularExpression>
#include <QStringDecoder>
#include <QStringList>

#include "engine/audit/format.h"
#include "engine/trace/snapshot.h"

namespace ulp::views {

QString hashText(std::uint64_t hash)
{
    return hash == trace::kNotRecorded ? QStringLiteral("–")
                                       : QString::fromStdString(audit::formatHashGrouped(hash));
}

QString runsText(const std::vector<int>& runs, int most)
{
    QStringList parts;
    for (std::size_t i = 0; i < runs.size();) {
        std::size_t end = i + 1;
        while (end < runs.size() && runs[end] == runs[end - 1] + 1) {
            ++end;
        }
        if (parts.size() == most) {
            parts << QStringLiteral("… (%1)").arg(runs.size());
            break;
        }
        if (end - i >= 3) {
            parts << QStringLiteral("%1–%2").arg(runs[i]).arg(runs[end - 1]);
            i = end;
        } else {
            parts << QString::number(runs[i++]);
        }
    }
    return parts.join(QLatin1Char(' '));
}

QString differenceText(double value)
{
    return QString::fromStdString(audit::formatDifference(value));
}

QString signedNumber(double value)
{
    if (value == 0.0) {
        return QStringLiteral("0");
    }
    return value > 0 ? QLatin1Char('+') + differenceText(value) : differenceText(value);
}

QString durationText(double seconds)
{
    if (!std::isfinite(seconds) || seconds < 0) {
        return QStringLiteral("–");
    }
    if (seconds < 1.0) {
        return QStringLiteral("%1 ms").arg(std::lround(seconds * 1000));
    }
    if (seconds < 60.0) {
        return QStringLiteral("%1 s").arg(seconds, 0, 'f', seconds < 10 ? 1 : 0);
    }
    const auto whole = static_cast<long long>(seconds);
    if (whole < 3600) {
        return QStringLiteral("%1 min %2 s")
            .arg(whole / 60)
            .arg(whole % 60, 2, 10, QLatin1Char('0'));
    }
    return QStringLiteral("%1 h %2 min")
        .arg(whole / 3600)
        .arg(whole / 60 % 60, 2, 10, QLatin1Char('0'));
}

QString bytesText(std::int64_t bytes)
{
    const char* const units[] = {"B", "kB", "MB", "GB", "TB"};
    double value = static_cast<double>(bytes);
    int unit = 0;
    while (value >= 1024.0 && unit < 4) {
        value /= 1024.0;
        ++unit;
    }
    const int digits = unit == 0 || value >= 10.0 ? 0 : 1;
    return QStringLiteral("%1 %2").arg(value, 0, 'f', digits).arg(QLatin1String(units[unit]));
}

QString shapeText(const OpInfo& op)
{
    QStringList sizes;
    for (const std::int64_t size : op.shape) {
        sizes << QString::number(size);
    }
    return QStringLiteral("[%1] f32").arg(sizes.join(QStringLiteral(" × ")));
}

namespace {

QString picture(QChar c)
{
    switch (c.unicode()) {
    case '\n':
        return QStringLiteral("↵");
    case '\t':
        return QStringLiteral("⇥");
    case 0x7F:
        return QStringLiteral("␡");
    case 0xA0:
        return QStringLiteral("⍽");
    default:
        break;
    }
    if (c.unicode() < 0x20) {
        return QString(QChar(static_cast<char16_t>(0x2400 + c.unicode())));
    }
    if (c.category() == QChar::Other_Format || c.category() == QChar::Other_Control) {
        return QStringLiteral("\\u%1").arg(static_cast<int>(c.unicode()), 4, 16, QLatin1Char('0'));
    }
    return QString(c);
}

QString escapedBytes(std::string_view bytes)
{
    QString text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += byte >= 0x20 && byte < 0x7F
                    ? QString(QLatin1Char(c))
                    : QStringLiteral("\\x%1").arg(static_cast<int>(byte), 2, 16, QLatin1Char('0'));
    }
    return text;
}

} // namespace

QString visibleToken(std::string_view bytes)
{
    if (bytes.empty()) {
        return QStringLiteral("∅");
    }
    QStringDecoder decoder(QStringDecoder::Utf8, QStringConverter::Flag::Stateless);
    const QString text =
        decoder.decode(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
    if (decoder.hasError()) {
        return escapedBytes(bytes);
    }
    if (bytes.find_first_not_of(' ') == std::string_view::npos) {
        return QString(static_cast<qsizetype>(bytes.size()), QChar(u'␣'));
    }
    QString visible;
    for (const QChar c : text) {
        visible += picture(c);
    }
    return visible;
}

QString shellQuoted(const QString& word)
{
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./:=,+-]+$"));
    if (plain.match(word).hasMatch()) {
        return word;
    }
    QString quoted = word;
    quoted.replace(QLatin1Char('\''), QStringLiteral("'\\''"));
    return QLatin1Char('\'') + quoted + QLatin1Char('\'');
}

} // namespace ulp::views
