<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>HeatmapText</name>
    <message numerus="yes">
        <source>%n classes</source>
        <translation>
            <numerusform>%n class</numerusform>
            <numerusform>%n classes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Session</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Verdict</name>
    <message numerus="yes">
        <source>%n class(es)</source>
        <translation>
            <numerusform>%n class</numerusform>
            <numerusform>%n classes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ulp::gui::SessionView</name>
    <message numerus="yes">
        <source>%n divergent cell(s) outside the filter</source>
        <translation>
            <numerusform>%n divergent cell outside the filter</numerusform>
            <numerusform>%n divergent cells outside the filter</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ulp::views::DivergenceHeatmap</name>
    <message numerus="yes">
        <source>%n divergent cell(s) outside the filter</source>
        <translation>
            <numerusform>%n divergent cell outside the filter</numerusform>
            <numerusform>%n divergent cells outside the filter</numerusform>
        </translation>
    </message>
</context>
</TS>
