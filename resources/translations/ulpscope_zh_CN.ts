<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Actions</name>
    <message>
        <source>Key</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;recent…</source>
        <translation>打开最近的文件(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Built-in model</source>
        <translation>内置模型(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Save trace…</source>
        <translation>保存轨迹(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Export report…</source>
        <translation>导出报告(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Close session</source>
        <translation>关闭会话(&amp;C)</translation>
    </message>
    <message>
        <source>Start &amp;page</source>
        <translation>起始页(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Copy cell as &amp;text</source>
        <translation>将单元格复制为文本(&amp;T)</translation>
    </message>
    <message>
        <source>Copy cell as &amp;JSON</source>
        <translation>将单元格复制为 JSON(&amp;J)</translation>
    </message>
    <message>
        <source>Copy &amp;command line</source>
        <translation>复制命令行(&amp;C)</translation>
    </message>
    <message>
        <source>Copy &amp;verdict</source>
        <translation>复制结论(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Filter</source>
        <translation>筛选(&amp;F)</translation>
    </message>
    <message>
        <source>Take the last filter &amp;away</source>
        <translation>去掉最后一个筛选条件(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Stop, or clear the filter</source>
        <translation>停止，或清除筛选(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Toggle atomic and ordered</source>
        <translation>在 atomic 与 ordered 间切换(&amp;T)</translation>
    </message>
    <message>
        <source>Make the cursor's run the &amp;reference</source>
        <translation>将光标所在运行设为基准(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Hide or show the cursor's run</source>
        <translation>隐藏或显示光标所在运行(&amp;H)</translation>
    </message>
    <message>
        <source>Edit the &amp;prompt</source>
        <translation>编辑提示词(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Next divergence</source>
        <translation>下一处分歧(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Previous divergence</source>
        <translation>上一处分歧(&amp;P)</translation>
    </message>
    <message>
        <source>Next &amp;origin</source>
        <translation>下一个源头(&amp;O)</translation>
    </message>
    <message>
        <source>Previous o&amp;rigin</source>
        <translation>上一个源头(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Go to step or op…</source>
        <translation>转到某步或某算子(&amp;G)…</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>后退(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation>前进(&amp;F)</translation>
    </message>
    <message>
        <source>Step before</source>
        <translation>前一步</translation>
    </message>
    <message>
        <source>Step after</source>
        <translation>后一步</translation>
    </message>
    <message>
        <source>Row above</source>
        <translation>上一行</translation>
    </message>
    <message>
        <source>Row below</source>
        <translation>下一行</translation>
    </message>
    <message>
        <source>Different cell to the left</source>
        <translation>左侧下一个不同的单元格</translation>
    </message>
    <message>
        <source>Different cell to the right</source>
        <translation>右侧下一个不同的单元格</translation>
    </message>
    <message>
        <source>Different cell above</source>
        <translation>上方下一个不同的单元格</translation>
    </message>
    <message>
        <source>Different cell below</source>
        <translation>下方下一个不同的单元格</translation>
    </message>
    <message>
        <source>Page up</source>
        <translation>上一页</translation>
    </message>
    <message>
        <source>Page down</source>
        <translation>下一页</translation>
    </message>
    <message>
        <source>First step</source>
        <translation>第一步</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>最后一步</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>放大(&amp;I)</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>缩小(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Fit</source>
        <translation>适合窗口(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Colour by class or magnitude</source>
        <translation>按类别或幅度着色(&amp;C)</translation>
    </message>
    <message>
        <source>Fol&amp;d the layer</source>
        <translation>折叠该层(&amp;D)</translation>
    </message>
    <message>
        <source>Fold &amp;all layers</source>
        <translation>折叠所有层(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Unfold all layers</source>
        <translation>展开所有层(&amp;U)</translation>
    </message>
    <message>
        <source>Fold the &amp;prompt</source>
        <translation>折叠提示词(&amp;P)</translation>
    </message>
    <message>
        <source>Compare &amp;with…</source>
        <translation>与其他会话比较(&amp;W)…</translation>
    </message>
    <message>
        <source>&amp;Sessions…</source>
        <translation>会话(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Run panel</source>
        <translation>运行面板(&amp;R)</translation>
    </message>
    <message>
        <source>C&amp;ell panel</source>
        <translation>单元格面板(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Logit drift</source>
        <translation>logit 漂移(&amp;L)</translation>
    </message>
    <message>
        <source>Margin c&amp;hart</source>
        <translation>裕度图(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Tokens</source>
        <translation>词元(&amp;T)</translation>
    </message>
    <message>
        <source>Colours of the &amp;system</source>
        <translation>跟随系统配色(&amp;S)</translation>
    </message>
    <message>
        <source>Li&amp;ght</source>
        <translation>浅色(&amp;G)</translation>
    </message>
    <message>
        <source>Dar&amp;k</source>
        <translation>深色(&amp;K)</translation>
    </message>
    <message>
        <source>Lan&amp;guage…</source>
        <translation>语言(&amp;G)…</translation>
    </message>
    <message>
        <source>&amp;Command palette</source>
        <translation>命令面板(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Help on this panel</source>
        <translation>本面板的帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Keyboard</source>
        <translation>键盘(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About Ulpscope</source>
        <translation>关于 Ulpscope(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
</context>
<context>
    <name>Cell</name>
    <message>
        <source>the token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>%1 (cache)</source>
        <translation>%1（缓存）</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>未记录</translation>
    </message>
    <message>
        <source>same bits</source>
        <translation>逐位相同</translation>
    </message>
    <message>
        <source>origin</source>
        <translation>源头</translation>
    </message>
    <message>
        <source>inherited</source>
        <translation>继承</translation>
    </message>
    <message>
        <source>NaN or infinity</source>
        <translation>NaN 或无穷</translation>
    </message>
    <message>
        <source>not in all runs</source>
        <translation>并非所有运行都有</translation>
    </message>
    <message>
        <source>equal in all runs</source>
        <translation>所有运行中相同</translation>
    </message>
    <message>
        <source>equal in some runs, differ in others: %1</source>
        <translation>部分运行相同，其余不同：%1</translation>
    </message>
    <message>
        <source>differ: %1</source>
        <translation>不同：%1</translation>
    </message>
    <message>
        <source>prompt %1</source>
        <translation>提示词 %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>class</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>hash</source>
        <translation>哈希</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>max ULP</source>
        <translation>最大 ULP</translation>
    </message>
    <message>
        <source>rel. L2</source>
        <translation>相对 L2</translation>
    </message>
    <message>
        <source>largest absolute difference %1</source>
        <translation>最大绝对差 %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>delta</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>token id %1</source>
        <translation>词元编号 %1</translation>
    </message>
    <message>
        <source>%1
kind: %2
shape: %3
inputs: %4

%5
magnitude against run %6
%7
top logits
%8</source>
        <translation>%1
性质：%2
形状：%3
输入：%4

%5
相对运行 %6 的幅度
%7
最大的 logit
%8</translation>
    </message>
</context>
<context>
    <name>Filter</name>
    <message>
        <source>a minus needs a word behind it</source>
        <translation>减号后面要有一个词</translation>
    </message>
    <message>
        <source>%1 needs a number or a range such as 2..5</source>
        <translation>%1 后面要有数字或范围，例如 2..5</translation>
    </message>
    <message>
        <source>“%1” is no range; write 3, 2..5, 2.. or ..5</source>
        <translation>“%1”不是范围；请写 3、2..5、2.. 或 ..5</translation>
    </message>
    <message>
        <source>write ulp&gt;8, ulp&gt;=8, ulp=1, ulp&lt;8 or ulp&lt;=8</source>
        <translation>请写 ulp&gt;8、ulp&gt;=8、ulp=1、ulp&lt;8 或 ulp&lt;=8</translation>
    </message>
    <message>
        <source>no op is called “%1”</source>
        <translation>没有名为“%1”的算子</translation>
    </message>
</context>
<context>
    <name>HeatmapText</name>
    <message>
        <source>not recorded</source>
        <translation>未记录</translation>
    </message>
    <message>
        <source>same bits</source>
        <translation>逐位相同</translation>
    </message>
    <message numerus="yes">
        <source>%n classes</source>
        <translation>
            <numerusform>%n 个类别</numerusform>
        </translation>
    </message>
    <message>
        <source>origin: inputs were equal</source>
        <translation>源头：输入相同</translation>
    </message>
    <message>
        <source>inherited</source>
        <translation>继承</translation>
    </message>
    <message>
        <source>NaN or infinity</source>
        <translation>NaN 或无穷</translation>
    </message>
    <message>
        <source>recorded in some runs only</source>
        <translation>仅部分运行有记录</translation>
    </message>
    <message>
        <source>run %1 against the reference: %2 of %3 elements, %4 ULP, max |Δ| %5, rel. L2 %6</source>
        <translation>运行 %1 相对基准：%2 / %3 个元素，%4 ULP，最大 |Δ| %5，相对 L2 %6</translation>
    </message>
    <message>
        <source>no cell</source>
        <translation>没有单元格</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1，%2：%3</translation>
    </message>
    <message>
        <source>and %1 more classes</source>
        <translation>另有 %1 个类别</translation>
    </message>
    <message>
        <source>magnitude not recorded</source>
        <translation>未记录幅度</translation>
    </message>
    <message>
        <source>run %1: %2 NaN, %3 infinite</source>
        <translation>运行 %1：%2 个 NaN，%3 个无穷</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>no logits recorded here</source>
        <translation>此处未记录 logit</translation>
    </message>
    <message>
        <source>the reference run</source>
        <translation>基准运行</translation>
    </message>
    <message>
        <source>max |Δ logit| %1 · %2 ULP · KL %3</source>
        <translation>最大 |Δ logit| %1 · %2 ULP · KL %3</translation>
    </message>
    <message>
        <source>other tokens before this step: the texts have parted</source>
        <translation>此步之前词元已不同：文本已分开</translation>
    </message>
</context>
<context>
    <name>Pdf</name>
    <message>
        <source>What was run</source>
        <translation>运行内容</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>记录时间</translation>
    </message>
    <message>
        <source>contract</source>
        <translation>约定</translation>
    </message>
    <message>
        <source>cells</source>
        <translation>单元格</translation>
    </message>
    <message>
        <source>%1 runs × %2 columns × %3 ops</source>
        <translation>%1 次运行 × %2 列 × %3 个算子</translation>
    </message>
    <message>
        <source>(varied between the runs)</source>
        <translation>（各次运行不同）</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Divergence: ops by steps</source>
        <translation>分歧：算子 × 步</translation>
    </message>
    <message>
        <source>Grey: same bits. Blue: two classes. Orange: three or more. Outlined: the output differs although all inputs were equal. Hatched: NaN or infinity. Dotted: not recorded. Each row shows the worst of its ops.</source>
        <translation>灰色：逐位相同。蓝色：两个类别。橙色：三个或更多。描边：输入全部相同而输出不同。斜线：NaN 或无穷。点：未记录。每行显示其算子中最差者。</translation>
    </message>
    <message>
        <source>… the JSON report has all %1 rows</source>
        <translation>……全部 %1 行见 JSON 报告</translation>
    </message>
    <message>
        <source>First divergence</source>
        <translation>首个分歧</translation>
    </message>
    <message>
        <source>inputs %1</source>
        <translation>输入%1</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>class</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>columns</source>
        <translation>列数</translation>
    </message>
    <message>
        <source>non-finite cells</source>
        <translation>非有限单元格</translation>
    </message>
    <message>
        <source>trace hash (first 16 digits)</source>
        <translation>轨迹哈希（前 16 位）</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境</translation>
    </message>
    <message>
        <source>What was not checked</source>
        <translation>未检查的内容</translation>
    </message>
    <message>
        <source>Ulpscope · page %1 of %2</source>
        <translation>Ulpscope · 第 %1 页，共 %2 页</translation>
    </message>
    <message>
        <source>Ulpscope report</source>
        <translation>Ulpscope 报告</translation>
    </message>
</context>
<context>
    <name>RowLayout</name>
    <message>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
</context>
<context>
    <name>RunSetup</name>
    <message>
        <source>Choose a model.</source>
        <translation>请选择模型。</translation>
    </message>
    <message>
        <source>Write a prompt.</source>
        <translation>请填写提示词。</translation>
    </message>
    <message>
        <source>Prompt (%1) and steps do not fit the context of %2 tokens.</source>
        <translation>提示词（%1）加步数超出 %2 个词元的上下文。</translation>
    </message>
    <message>
        <source>One run has nothing to be compared with; use 2 or more.</source>
        <translation>一次运行无从比较；请用 2 次或更多。</translation>
    </message>
    <message>
        <source>The lists below have %1 combinations; use at least as many runs.</source>
        <translation>下面的列表共有 %1 种组合；运行次数不能更少。</translation>
    </message>
    <message>
        <source>Write a number, or several with commas.</source>
        <translation>请写一个数，或用逗号分隔的几个数。</translation>
    </message>
    <message>
        <source>%1 is out of range; use %2 to %3.</source>
        <translation>%1 超出范围；请用 %2 到 %3。</translation>
    </message>
    <message>
        <source>The chunk is a multiple of 32, or 0 for auto.</source>
        <translation>块长须为 32 的倍数，0 为自动。</translation>
    </message>
    <message>
        <source>This build has no “%1”.</source>
        <translation>此版本没有“%1”。</translation>
    </message>
    <message>
        <source>This processor cannot run these kernels.</source>
        <translation>此处理器不能运行这组内核。</translation>
    </message>
    <message>
        <source>This build has no CUDA device; use CPU.</source>
        <translation>此版本没有 CUDA 设备；请用 CPU。</translation>
    </message>
</context>
<context>
    <name>Session</name>
    <message>
        <source>several policies</source>
        <translation>多种策略</translation>
    </message>
    <message>
        <source>session %1</source>
        <translation>会话 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Verdict</name>
    <message numerus="yes">
        <source>%n class(es)</source>
        <translation>
            <numerusform>%n 个类别</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>parts at %1</source>
        <translation>在%1分开</translation>
    </message>
    <message>
        <source>: %1 of %2 elements, %3 ULP</source>
        <translation>：%1 / %2 个元素，%3 ULP</translation>
    </message>
    <message>
        <source>tokens at %1, margin %2</source>
        <translation>词元在%1分开，裕度 %2</translation>
    </message>
    <message>
        <source>repeated without varying a setting</source>
        <translation>重复运行，未改变任何设置</translation>
    </message>
    <message>
        <source>varied: %1</source>
        <translation>改变了：%1</translation>
    </message>
    <message>
        <source>the start</source>
        <translation>开头</translation>
    </message>
    <message>
        <source>run %1 was stopped at %2</source>
        <translation>运行 %1 停在%2</translation>
    </message>
    <message>
        <source>run %1 was cut short at %2</source>
        <translation>运行 %1 在%2中断</translation>
    </message>
    <message>
        <source>run %1 failed at %2: %3</source>
        <translation>运行 %1 在%2失败：%3</translation>
    </message>
    <message>
        <source>1 and 2 threads</source>
        <translation>1 和 2 个线程</translation>
    </message>
    <message>
        <source>batch 1 and 4</source>
        <translation>批大小 1 和 4</translation>
    </message>
    <message>
        <source>prefill cut 1 and 512</source>
        <translation>预填充切分 1 和 512</translation>
    </message>
    <message>
        <source>policy atomic</source>
        <translation>策略 atomic</translation>
    </message>
    <message>
        <source>2 threads</source>
        <translation>2 个线程</translation>
    </message>
    <message>
        <source>batch 4</source>
        <translation>批大小 4</translation>
    </message>
    <message>
        <source>bf16 activations</source>
        <translation>bf16 激活</translation>
    </message>
    <message>
        <source>No runs yet</source>
        <translation>尚无运行</translation>
    </message>
    <message>
        <source>Incomplete</source>
        <translation>未完成</translation>
    </message>
    <message>
        <source>Same bits</source>
        <translation>逐位相同</translation>
    </message>
    <message>
        <source>Same tokens, different bits</source>
        <translation>词元相同，位不同</translation>
    </message>
    <message>
        <source>Diverged</source>
        <translation>已分歧</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Not comparable</source>
        <translation>不可比较</translation>
    </message>
    <message>
        <source>two runs are needed to compare</source>
        <translation>比较需要两次运行</translation>
    </message>
    <message>
        <source>try %1</source>
        <translation>试试 %1</translation>
    </message>
    <message>
        <source>prompt %1</source>
        <translation>提示词 %1</translation>
    </message>
</context>
<context>
    <name>ulp::gui::HelpWindow</name>
    <message>
        <source>Ulpscope help</source>
        <translation>Ulpscope 帮助</translation>
    </message>
</context>
<context>
    <name>ulp::gui::MainWindow</name>
    <message>
        <source>Toolbar</source>
        <translation>工具栏</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Save trace</source>
        <translation>保存轨迹</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>■ Stop</source>
        <translation>■ 停止</translation>
    </message>
    <message>
        <source>Stop the session (Esc)</source>
        <translation>停止会话 (Esc)</translation>
    </message>
    <message>
        <source>The sessions kept, and the one shown (Ctrl+Tab)</source>
        <translation>保留的会话与当前会话 (Ctrl+Tab)</translation>
    </message>
    <message>
        <source>more</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Partial sums are merged as they arrive (T)</source>
        <translation>部分和按到达次序合并 (T)</translation>
    </message>
    <message>
        <source>Partial sums are merged in one fixed order (T)</source>
        <translation>部分和按固定次序合并 (T)</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Uncheck a run to leave it out; double-click to make it the reference.</source>
        <translation>取消勾选即排除该运行；双击设为基准。</translation>
    </message>
    <message>
        <source>Put beside this session…</source>
        <translation>与当前会话并排…</translation>
    </message>
    <message>
        <source>Show session…</source>
        <translation>显示会话…</translation>
    </message>
    <message>
        <source>What do you want to do?</source>
        <translation>想做什么？</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>A step (12, -3) or an op (ffn_out-2)</source>
        <translation>步（12、-3）或算子（ffn_out-2）</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>there is no such step</source>
        <translation>没有这一步</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>Open again…</source>
        <translation>再次打开…</translation>
    </message>
    <message>
        <source>Language of the system</source>
        <translation>系统语言</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>已选</translation>
    </message>
    <message>
        <source>The language changes when Ulpscope is started again.</source>
        <translation>重新启动 Ulpscope 后语言生效。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>About Ulpscope</source>
        <translation>关于 Ulpscope</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Ulpscope %1&lt;/h3&gt;&lt;p&gt;An oscilloscope for the last bit of large-language-model inference.&lt;/p&gt;&lt;p&gt;Arithmetic contract %2. Qt %3.&lt;/p&gt;&lt;p&gt;GNU General Public License, version 3 or later.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Ulpscope %1&lt;/h3&gt;&lt;p&gt;大语言模型推理最后一位的示波器。&lt;/p&gt;&lt;p&gt;算术约定 %2。Qt %3。&lt;/p&gt;&lt;p&gt;GNU 通用公共许可证第 3 版或更新版本。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>A session is running</source>
        <translation>会话正在运行</translation>
    </message>
    <message>
        <source>Stop it and close Ulpscope?</source>
        <translation>停止会话并关闭 Ulpscope？</translation>
    </message>
    <message>
        <source>Stop and save…</source>
        <translation>停止并保存…</translation>
    </message>
    <message>
        <source>Stop and discard</source>
        <translation>停止并放弃</translation>
    </message>
    <message>
        <source>Keep running</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Models and traces (*.gguf *.ulp);;Models (*.gguf);;Traces (*.ulp);;All files (*)</source>
        <translation>模型和轨迹 (*.gguf *.ulp);;模型 (*.gguf);;轨迹 (*.ulp);;所有文件 (*)</translation>
    </message>
    <message>
        <source>%1 is not there.</source>
        <translation>%1 不存在。</translation>
    </message>
    <message>
        <source>Ulpscope traces (*.ulp)</source>
        <translation>Ulpscope 轨迹 (*.ulp)</translation>
    </message>
    <message>
        <source>Web page (*.html);;PDF (*.pdf);;JSON, the evidence (*.json);;CSV, every cell (*.csv)</source>
        <translation>网页 (*.html);;PDF (*.pdf);;JSON，完整证据 (*.json);;CSV，每个单元格 (*.csv)</translation>
    </message>
    <message>
        <source>Writing %1…</source>
        <translation>正在写入 %1…</translation>
    </message>
    <message>
        <source>The session is still running; stop it first.</source>
        <translation>会话仍在运行；请先停止。</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>%1 was not written: %2</source>
        <translation>%1 未能写入：%2</translation>
    </message>
    <message>
        <source>Not started: see the marked settings.</source>
        <translation>未启动：请看标出的设置。</translation>
    </message>
    <message>
        <source>no session yet</source>
        <translation>尚无会话</translation>
    </message>
    <message>
        <source>%1 – Ulpscope</source>
        <translation>%1 – Ulpscope</translation>
    </message>
    <message>
        <source>Run %1 is the reference; make another one the reference first.</source>
        <translation>运行 %1 是基准；请先将另一次运行设为基准。</translation>
    </message>
    <message>
        <source>▶ Run %1×</source>
        <translation>▶ 运行 %1×</translation>
    </message>
</context>
<context>
    <name>ulp::gui::Picker</name>
    <message>
        <source>Nothing matches</source>
        <translation>没有匹配项</translation>
    </message>
</context>
<context>
    <name>ulp::gui::SessionView</name>
    <message>
        <source>Divergence: ops × steps</source>
        <translation>分歧：算子 × 步</translation>
    </message>
    <message>
        <source>Colour by class or by magnitude (C)</source>
        <translation>按类别或幅度着色 (C)</translation>
    </message>
    <message>
        <source>Fold or unfold all layers (Shift+F, Ctrl+Shift+F)</source>
        <translation>折叠或展开所有层 (Shift+F, Ctrl+Shift+F)</translation>
    </message>
    <message>
        <source>fit (0)</source>
        <translation>适合 (0)</translation>
    </message>
    <message>
        <source>Show every step and every row (0)</source>
        <translation>显示所有步和所有行 (0)</translation>
    </message>
    <message>
        <source>colour by: class</source>
        <translation>着色：类别</translation>
    </message>
    <message>
        <source>colour by: magnitude</source>
        <translation>着色：幅度</translation>
    </message>
    <message>
        <source>rows: layers</source>
        <translation>行：层</translation>
    </message>
    <message>
        <source>rows: ops</source>
        <translation>行：算子</translation>
    </message>
    <message>
        <source>The session failed.</source>
        <translation>会话失败。</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Opening</source>
        <translation>正在打开</translation>
    </message>
    <message>
        <source>Take this filter away</source>
        <translation>去掉此筛选条件</translation>
    </message>
    <message>
        <source>%1 cells match</source>
        <translation>%1 个单元格符合</translation>
    </message>
    <message numerus="yes">
        <source>%n divergent cell(s) outside the filter</source>
        <translation>
            <numerusform>筛选之外有 %n 个分歧单元格</numerusform>
        </translation>
    </message>
    <message>
        <source>Run 0 is the reference; the second run is the first to be compared.</source>
        <translation>运行 0 是基准；从第二次运行起开始比较。</translation>
    </message>
</context>
<context>
    <name>ulp::gui::StartPage</name>
    <message>
        <source>trace</source>
        <translation>轨迹</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>An oscilloscope for the last bit. Run one prompt many times, see where the runs part, why, and whether it matters.</source>
        <translation>最后一位的示波器。把同一提示词运行多次，看各次运行在哪里分开、为什么分开、是否要紧。</translation>
    </message>
    <message>
        <source>Run the built-in model</source>
        <translation>运行内置模型</translation>
    </message>
    <message>
        <source>A small story teller comes with the program. Nothing to download.</source>
        <translation>程序自带一个讲小故事的模型，无需下载。</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>A GGUF file of the llama family: F32, F16, BF16, Q8_0, Q4_0 or Q4_1.</source>
        <translation>llama 系列的 GGUF 文件：F32、F16、BF16、Q8_0、Q4_0 或 Q4_1。</translation>
    </message>
    <message>
        <source>Open a trace</source>
        <translation>打开轨迹</translation>
    </message>
    <message>
        <source>A recorded session (.ulp): look at it, compare it, export it.</source>
        <translation>已记录的会话 (.ulp)：查看、比较、导出。</translation>
    </message>
    <message>
        <source>Opened last</source>
        <translation>最近打开</translation>
    </message>
    <message>
        <source>Drop a model or a trace anywhere on this window. For a model that people run, packaging/get-smollm2 fetches SmolLM2-135M-Instruct (98 MB).</source>
        <translation>可将模型或轨迹拖放到窗口任意处。想要常用的真实模型，packaging/get-smollm2 可获取 SmolLM2-135M-Instruct（98 MB）。</translation>
    </message>
</context>
<context>
    <name>ulp::gui::StatusLine</name>
    <message>
        <source>portable</source>
        <translation>通用</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>recorded %1 × %2 × %3 cells</source>
        <translation>已记录 %1 × %2 × %3 个单元格</translation>
    </message>
    <message>
        <source>contract %1</source>
        <translation>约定 %1</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 线程</translation>
    </message>
    <message>
        <source>stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>run %1 of %2 · %3 tok/s · %4 left</source>
        <translation>运行 %1 / %2 · %3 词元/秒 · 剩余 %4</translation>
    </message>
    <message>
        <source>done in %1</source>
        <translation>用时 %1</translation>
    </message>
    <message>
        <source>stopped after %1</source>
        <translation>%1 后停止</translation>
    </message>
    <message>
        <source>opening…</source>
        <translation>正在打开…</translation>
    </message>
    <message>
        <source>read-only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>loading the model…</source>
        <translation>正在加载模型…</translation>
    </message>
</context>
<context>
    <name>ulp::views::CellPanel</name>
    <message>
        <source>Cell</source>
        <translation>单元格</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>As text</source>
        <translation>为文本</translation>
    </message>
    <message>
        <source>As JSON</source>
        <translation>为 JSON</translation>
    </message>
    <message>
        <source>As command</source>
        <translation>为命令</translation>
    </message>
    <message>
        <source>Move the cursor over the map to see a cell: who shares its bits, how far the others are, and why.</source>
        <translation>在图上移动光标即可查看单元格：哪些运行逐位相同，其余相差多远，以及原因。</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>性质</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Top logits</source>
        <translation>最大的 logit</translation>
    </message>
    <message>
        <source>Cell: %1</source>
        <translation>单元格：%1</translation>
    </message>
    <message>
        <source>Magnitude against run %1</source>
        <translation>相对运行 %1 的幅度</translation>
    </message>
    <message>
        <source>The bits differ; by how much was not recorded.</source>
        <translation>位不同；相差多少未记录。</translation>
    </message>
    <message>
        <source>Nothing differs here.</source>
        <translation>此处没有差异。</translation>
    </message>
    <message>
        <source>Magnitude by layer, %1</source>
        <translation>各层幅度，%1</translation>
    </message>
</context>
<context>
    <name>ulp::views::DivergenceHeatmap</name>
    <message>
        <source>Divergence map: ops by steps</source>
        <translation>分歧图：算子 × 步</translation>
    </message>
    <message>
        <source>No session yet</source>
        <translation>尚无会话</translation>
    </message>
    <message>
        <source>%1, its worst op here:</source>
        <translation>%1，此处最差的算子：</translation>
    </message>
    <message>
        <source>Click above the prompt's columns to fold or unfold them</source>
        <translation>点击提示词各列上方可折叠或展开</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>relative L2 against the reference</source>
        <translation>相对基准的相对 L2</translation>
    </message>
    <message numerus="yes">
        <source>%n divergent cell(s) outside the filter</source>
        <translation>
            <numerusform>筛选之外有 %n 个分歧单元格</numerusform>
        </translation>
    </message>
    <message>
        <source>No op matches the filter</source>
        <translation>没有算子符合筛选</translation>
    </message>
    <message>
        <source>Press Run, or open a trace, to see where runs part</source>
        <translation>按“运行”或打开轨迹，看各次运行在哪里分开</translation>
    </message>
</context>
<context>
    <name>ulp::views::DriftHeatmap</name>
    <message>
        <source>Logit drift: runs by steps</source>
        <translation>logit 漂移：运行 × 步</translation>
    </message>
    <message>
        <source>Logit drift: runs × steps</source>
        <translation>logit 漂移：运行 × 步</translation>
    </message>
    <message>
        <source>max |Δ logit|</source>
        <translation>最大 |Δ logit|</translation>
    </message>
    <message>
        <source>run %1, reference</source>
        <translation>运行 %1，基准</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>运行 %1</translation>
    </message>
</context>
<context>
    <name>ulp::views::FilterBox</name>
    <message>
        <source>Filter: layer 2..5 attn diverged (Ctrl+F)</source>
        <translation>筛选：layer 2..5 attn diverged (Ctrl+F)</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Words are ANDed: layer 2..5, step 10..40, an op name or glob, diverged, origin, nan, ulp&gt;8; a minus excludes.</source>
        <translation>各词须同时满足：layer 2..5、step 10..40、算子名或通配、diverged、origin、nan、ulp&gt;8；减号表示排除。</translation>
    </message>
</context>
<context>
    <name>ulp::views::LayerChart</name>
    <message>
        <source>Magnitude by layer at the cursor's step</source>
        <translation>光标所在步的各层幅度</translation>
    </message>
    <message>
        <source>%1 of %2 layers differ</source>
        <translation>%2 层中有 %1 层不同</translation>
    </message>
    <message>
        <source>layer %1: same bits</source>
        <translation>第 %1 层：逐位相同</translation>
    </message>
    <message>
        <source>layer %1: relative L2 %2 in %3</source>
        <translation>第 %1 层：%3 的相对 L2 为 %2</translation>
    </message>
    <message>
        <source>layer %1: differs in %2, amount not recorded</source>
        <translation>第 %1 层：%2 不同，差多少未记录</translation>
    </message>
</context>
<context>
    <name>ulp::views::Legend</name>
    <message>
        <source>one class: same bits</source>
        <translation>一个类别：逐位相同</translation>
    </message>
    <message>
        <source>two classes</source>
        <translation>两个类别</translation>
    </message>
    <message>
        <source>three or more</source>
        <translation>三个或更多</translation>
    </message>
    <message>
        <source>origin (inputs were equal)</source>
        <translation>源头（输入相同）</translation>
    </message>
    <message>
        <source>NaN or infinity</source>
        <translation>NaN 或无穷</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>未记录</translation>
    </message>
    <message>
        <source>Legend of the divergence map</source>
        <translation>分歧图图例</translation>
    </message>
</context>
<context>
    <name>ulp::views::MarginChart</name>
    <message>
        <source>Margin and largest logit difference by step</source>
        <translation>各步的裕度与最大 logit 差</translation>
    </message>
    <message>
        <source>rest</source>
        <comment>all further classes</comment>
        <translation>其余</translation>
    </message>
    <message>
        <source>margin within drift: tokens part here</source>
        <translation>裕度在漂移之内：词元在此分开</translation>
    </message>
    <message>
        <source>margin within drift: a token can flip here</source>
        <translation>裕度在漂移之内：词元可能在此翻转</translation>
    </message>
    <message>
        <source>margin</source>
        <translation>裕度</translation>
    </message>
    <message>
        <source>|Δ| %1</source>
        <comment>largest logit difference of a class</comment>
        <translation>|Δ| %1</translation>
    </message>
    <message>
        <source>margin of the reference run %1</source>
        <translation>基准运行的裕度 %1</translation>
    </message>
    <message>
        <source>largest logit difference, class %1: %2</source>
        <translation>类别 %1 的最大 logit 差：%2</translation>
    </message>
    <message>
        <source>a token can flip: the difference reaches half of the margin</source>
        <translation>词元可能翻转：差值达到裕度的一半</translation>
    </message>
</context>
<context>
    <name>ulp::views::OverviewStrip</name>
    <message>
        <source>Overview of the whole session</source>
        <translation>整个会话的概览</translation>
    </message>
    <message>
        <source>Drag the frame to move what the divergence map shows</source>
        <translation>拖动方框可移动分歧图的显示范围</translation>
    </message>
    <message>
        <source>overview</source>
        <translation>概览</translation>
    </message>
</context>
<context>
    <name>ulp::views::RecentFilesModel</name>
    <message>
        <source>%1 (missing)</source>
        <translation>%1（缺失）</translation>
    </message>
    <message>
        <source>%1 is no longer there</source>
        <translation>%1 已不存在</translation>
    </message>
</context>
<context>
    <name>ulp::views::RunPanel</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Built-in model</source>
        <translation>内置模型</translation>
    </message>
    <message>
        <source>Open model…</source>
        <translation>打开模型…</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>The GGUF file that is run.</source>
        <translation>所运行的 GGUF 文件。</translation>
    </message>
    <message>
        <source>What the model continues</source>
        <translation>由模型续写的文本</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>The text that every run continues.</source>
        <translation>每次运行所续写的文本。</translation>
    </message>
    <message>
        <source>as text</source>
        <translation>按文本</translation>
    </message>
    <message>
        <source>parsed</source>
        <translation>解析</translation>
    </message>
    <message>
        <source>Special</source>
        <translation>特殊词元</translation>
    </message>
    <message>
        <source>Whether special tokens written in the prompt, such as &lt;|im_start|&gt;, become that token or stay plain text.</source>
        <translation>提示词中写出的特殊词元（如 &lt;|im_start|&gt;）是变为该词元，还是保持普通文本。</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>How many tokens each run generates.</source>
        <translation>每次运行生成多少词元。</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>How often the prompt is run. Run 0 is the reference.</source>
        <translation>提示词运行几次。运行 0 为基准。</translation>
    </message>
    <message>
        <source>greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>0 takes the most likely token; above 0 tokens are drawn from a generator keyed by seed, sequence and step.</source>
        <translation>0 取最可能的词元；大于 0 时由种子、序列和步决定的发生器抽取。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Fixes the random draws, and the other prompts of a batch.</source>
        <translation>决定随机抽取，以及同批的其他提示词。</translation>
    </message>
    <message>
        <source>What may change the order</source>
        <translation>可能改变次序的设置</translation>
    </message>
    <message>
        <source>Policy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Who takes which chunk of a sum, and in which order partial sums are merged.</source>
        <translation>求和的各块由谁计算，部分和按什么次序合并。</translation>
    </message>
    <message>
        <source>ffn_out-*=atomic</source>
        <translation>ffn_out-*=atomic</translation>
    </message>
    <message>
        <source>Per op</source>
        <translation>按算子</translation>
    </message>
    <message>
        <source>Policies for single ops: a name or glob, an equals sign, a policy; several with commas. The last match wins.</source>
        <translation>单个算子的策略：名称或通配、等号、策略；多项用逗号分隔，最后匹配者生效。</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Threads that share each sum; auto takes one for each core. Several values, such as 1, 2, are taken by the runs in turn.</source>
        <translation>分担每个求和的线程数；自动为每核一个。可写多个值，如 1, 2，各次运行轮流取用。</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Sequences decoded together; the first is recorded. Several values are taken by the runs in turn.</source>
        <translation>一起解码的序列数；记录第一个。可写多个值，各次运行轮流取用。</translation>
    </message>
    <message>
        <source>Prefill cut</source>
        <translation>预填充切分</translation>
    </message>
    <message>
        <source>How many prompt tokens go through the model at once. Several values are taken by the runs in turn.</source>
        <translation>提示词一次送入模型的词元数。可写多个值，各次运行轮流取用。</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Chunk</source>
        <translation>块长</translation>
    </message>
    <message>
        <source>Elements of a sum that are added before partial sums are merged.</source>
        <translation>合并部分和之前相加的元素个数。</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>激活精度</translation>
    </message>
    <message>
        <source>Every op output is rounded to this format. Coarser formats let small differences flip tokens sooner.</source>
        <translation>每个算子的输出舍入到此格式。格式越粗，小差异越早使词元翻转。</translation>
    </message>
    <message>
        <source>portable</source>
        <translation>通用</translation>
    </message>
    <message>
        <source>Kernel set</source>
        <translation>内核集</translation>
    </message>
    <message>
        <source>The instruction set of the kernels. Under ordered it changes no bit.</source>
        <translation>内核的指令集。在 ordered 下不改变任何一位。</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Where the sums are computed.</source>
        <translation>在哪里计算求和。</translation>
    </message>
    <message>
        <source>choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>auto (%1)</source>
        <translation>自动 (%1)</translation>
    </message>
    <message>
        <source>Differs from %1</source>
        <translation>与%1不同</translation>
    </message>
    <message>
        <source>The seed is a whole number from 0.</source>
        <translation>种子是从 0 起的整数。</translation>
    </message>
</context>
<context>
    <name>ulp::views::RunsModel</name>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>%1 tok/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>cut short</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>trace hash: %1</source>
        <translation>轨迹哈希：%1</translation>
    </message>
    <message>
        <source>%1 ref</source>
        <translation>%1 基准</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>class</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>%1t</source>
        <comment>threads, short</comment>
        <translation>%1 线程</translation>
    </message>
    <message>
        <source>how</source>
        <translation>方式</translation>
    </message>
</context>
<context>
    <name>ulp::views::TokenStrip</name>
    <message>
        <source>Tokens of each class of runs</source>
        <translation>各类别运行的词元</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>equal tokens, unequal bits</source>
        <translation>词元相同，位不同</translation>
    </message>
    <message>
        <source>“%1”, token %2</source>
        <translation>“%1”，词元 %2</translation>
    </message>
    <message>
        <source>
prompt position %1</source>
        <translation>
提示词位置 %1</translation>
    </message>
    <message>
        <source>
step %1, run %2</source>
        <translation>
第 %1 步，运行 %2</translation>
    </message>
    <message>
        <source>
margin %1</source>
        <translation>
裕度 %1</translation>
    </message>
    <message>
        <source>The text of each class of runs appears here.</source>
        <translation>各类别运行的文本显示在这里。</translation>
    </message>
    <message>
        <source>dotted: near-tie (margin within twice the drift seen) · outlined: first differing token · click a token to move the cursor</source>
        <translation>点线：近似平手（裕度在所见漂移的两倍之内）· 描边：首个不同的词元 · 点击词元移动光标</translation>
    </message>
</context>
<context>
    <name>ulp::views::VerdictLine</name>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Previous divergence (Shift+N)</source>
        <translation>上一处分歧 (Shift+N)</translation>
    </message>
    <message>
        <source>Next divergence (N)</source>
        <translation>下一处分歧 (N)</translation>
    </message>
    <message>
        <source>Press Run to start, or open a trace.</source>
        <translation>按“运行”开始，或打开轨迹。</translation>
    </message>
    <message>
        <source>Same bits so far</source>
        <translation>目前逐位相同</translation>
    </message>
</context>
</TS>
