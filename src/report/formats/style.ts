/** The colours of the page, light and dark. */
const LIGHT =
  '--paper:#fff;--raised:#f6f7f8;--ink:#15181c;--ink2:#474e56;--soft:#626a73;--line:#e3e6e9;--line2:#c9ced4;--link:#0a5ea8;--bad:#a5310b;--bad-bg:#fcece5;--warn:#7a5500;--warn-bg:#fbf1d3;--ref:#7d858e;--m1:#0072b2;--m2:#b87400;--m3:#a8478a;--m4:#40464d'
const DARK =
  '--paper:#121417;--raised:#1a1d21;--ink:#e9ebee;--ink2:#bcc2c9;--soft:#979fa8;--line:#2a2f35;--line2:#474e57;--link:#7ab8f5;--bad:#ff9a75;--bad-bg:#3d2018;--warn:#e8c25c;--warn-bg:#362c11;--ref:#828a93;--m1:#58b4ea;--m2:#e8a838;--m3:#e08abf;--m4:#c5cad0'

/** The style of the report page. */
export const STYLE = `
:root{color-scheme:light dark;${LIGHT}}
@media(prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:14px/20px -apple-system,BlinkMacSystemFont,"Segoe UI",Inter,Roboto,"Noto Sans","Liberation Sans",Arial,sans-serif}
.page{max-width:72rem;padding:20px 24px 40px}
h1{font-size:20px;line-height:28px;margin:0;overflow-wrap:anywhere}
h2{font-size:16px;line-height:24px;margin:0 0 4px}
h3{font-size:14px;margin:12px 0 2px}
p{margin:4px 0;max-width:60rem;overflow-wrap:anywhere}
small{font-size:12px;font-weight:400;color:var(--soft)}
a{color:var(--link)}
code{overflow-wrap:anywhere}
.family{color:var(--soft);font-weight:400}
.source,.note,.notes,.legend,:is(caption,.parts) a{color:var(--soft)}
.source,.note,.notes{font-size:12px;line-height:16px;overflow-wrap:anywhere}
.notes{margin:4px 0 8px;padding-left:16px}
nav{padding:20px 16px;font-size:13px;line-height:18px}
nav ul{list-style:none;margin:4px 0 16px;padding:0}
nav a{display:inline-block;padding:4px 0;min-height:26px;color:var(--ink2);text-decoration:none;overflow-wrap:anywhere}
nav a b{font-weight:400}
@media screen and (min-width:1000px){body{display:grid;grid-template-columns:200px minmax(0,1fr)}nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;border-right:1px solid var(--line);min-height:100vh}}
@media screen and (max-width:999px){nav{padding:12px 12px 0}nav>b{display:none}nav ul{display:flex;flex-wrap:wrap;gap:0 14px;margin:0}.page{padding:8px 12px 24px}}
.verdict{margin:16px 0;padding:16px 20px;border:1px solid var(--line);border-radius:8px;background:var(--raised)}
.verdict.so-far,.verdict.none{border-style:dashed}
.verdict h2{font-size:20px;line-height:28px}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,340px),1fr));gap:8px 32px;margin-top:8px}
.unbroken{white-space:nowrap}
.sides table{width:100%;margin-bottom:8px}
.headline{margin:12px 0;padding:12px 16px 12px 32px;border:1px solid var(--line);border-radius:8px;background:var(--raised);overflow-wrap:anywhere}
.scroll{overflow-x:auto;margin:12px 0 4px}
table{border-collapse:collapse;font-size:13px;line-height:18px}
caption{text-align:left;font-weight:600;font-size:14px;padding:4px 0}
.parts{font-weight:600;margin:12px 0 0}
:is(caption,.parts) a{font-weight:400;font-size:12px;margin-left:6px}
th,td{padding:4px 10px 4px 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);max-width:28rem;overflow-wrap:break-word}
thead th{border-bottom-color:var(--line2);font-size:12px;line-height:16px;color:var(--soft);font-weight:600;vertical-align:bottom}
tbody th{font-weight:400}
.n,.scroll :is(td,table:not(.matrix,.models) thead th){text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
thead th{white-space:normal!important}.scroll :is(.t,.long,.run-on,.below td,.t1>*>tr>:first-child,.t2>*>tr>:nth-child(-n+2),.t3>*>tr>:nth-child(-n+3),.t4>*>tr>:nth-child(-n+4)){text-align:left;white-space:normal;font-variant-numeric:normal}
td:last-child,th:last-child{padding-right:0}
table.dense{font-size:12px;line-height:16px}.dense :is(th,td){padding-right:6px}.dense td>i{font-size:11px}
.weak,td>i,.scroll table:not(.matrix) td:has(>small){color:var(--soft)}
td>i{font-size:12px;font-style:normal}
tr:has(+.below) td{border-bottom:0}
.below td{color:var(--soft);max-width:none;padding-bottom:8px}
.matrix,.models{width:100%}
:is(.matrix,.models) :is(th,td){vertical-align:middle}
tbody th{min-width:8rem}
tbody th small,.gap,.chip{display:block;line-height:16px}
.lines ul{list-style:none;margin:0;padding:0;font-size:12px;line-height:18px}.lines li{display:flex;justify-content:space-between;gap:0 12px;white-space:nowrap}.lines :is(.gap,.chip){display:inline;margin-left:6px}
.axis{width:44%;min-width:200px;padding:0 24px 0 8px}
.axis div{position:relative;min-height:16px}
td.axis div{background:linear-gradient(90deg,var(--line) 1px,transparent 1px) 0/25% 100%}
.axis span{position:absolute;transform:translateX(-50%);font-size:11px;font-weight:400;line-height:16px}
.axis i{position:absolute}
.bar{height:2px;margin-top:-1px;background:var(--c)}
.bar.few,.dots{height:0;background:none;border-top:2px dotted var(--c,var(--soft))}
.point{display:inline-block;width:9px;height:9px;background:var(--c);border-radius:50%}
.axis .point{margin:-4.5px 0 0 -4.5px;outline:1px solid var(--paper)}
.point.m2{border-radius:0;rotate:45deg;scale:.85}.point.m3{border-radius:0}.point.m4{border-radius:0;clip-path:polygon(50% 0,100% 100%,0 100%)}.point.m5{border-radius:2px}
.m1{--c:var(--m1)}.m2{--c:var(--m2)}.m3{--c:var(--m3)}.m4{--c:var(--m4)}.m5{--c:var(--ref)}
.axis .ref{top:0;bottom:0}
.ref{width:0;border-left:1.5px solid var(--ref)}.ref.rule{border-left-style:dotted}
.legend{display:flex;flex-wrap:wrap;gap:0 16px;font-size:12px;line-height:16px}
.legend .ref{display:inline-block;height:11px;vertical-align:-1px}.legend .dots{display:inline-block;width:16px;vertical-align:4px}
.warn{color:var(--warn)}.chip.bad{color:var(--bad)}
section.task,#appendix{margin-top:20px;padding-top:8px;border-top:2px solid var(--ink)}
details{border-bottom:1px solid var(--line)}
section.task>details:first-of-type,#appendix>details:first-of-type{border-top:1px solid var(--line)}
details details{margin-left:16px}
summary{cursor:pointer;padding:6px 0;font-size:13px}
summary small{margin-left:6px}
figure{margin:8px 0;overflow-x:auto}
figure svg{font-size:12px;color:var(--ink)}text{white-space:pre}.title{font-size:15px;font-weight:700;fill:var(--ink)}.key{fill:var(--ink)}g.ticks{fill:none;stroke:currentColor}g.grid{stroke:currentColor;stroke-opacity:.1}.plot{fill:currentColor;text-anchor:middle}.shared{position:absolute;width:0;height:0}
.curve{stroke-width:1.5;stroke-linejoin:round;stroke-linecap:round}.spots{stroke-width:6;stroke-linecap:round}.spots.m2{stroke-linecap:square}.dash64{stroke-width:1.5;stroke-dasharray:6 4}.dash23{stroke-width:1.5;stroke-dasharray:2 3}.dash32{stroke-width:1.5;stroke-dasharray:3 2}
figure>svg{max-width:100%;height:auto;display:block}section.task>figure>svg{width:42rem}figure>svg.page{display:none}
.folded{display:none}
:is(a,summary,figure,.scroll):focus-visible{outline:2px solid var(--link);outline-offset:2px}
@media screen and (max-width:720px){
figure>svg{max-width:none;width:38rem}.verdict{padding:12px}
.matrix,.matrix tbody,.matrix caption{display:block}.matrix thead{display:none}
.matrix tr{display:flex;flex-wrap:wrap;border-bottom:1px solid var(--line);padding:6px 0}.matrix :is(th,td){border:0;padding:2px 0}
.matrix :is(th,.axis,.lines){width:100%;padding:2px 8px}.lines .gap{display:none}.matrix th{padding-left:0}
.matrix td.n{flex:1 0 46%;text-align:left}.matrix td.n::before{content:attr(data-model) " ";color:var(--soft);font-size:12px}}
@media print{:root{color-scheme:light;${LIGHT}}
body{display:block}.page{max-width:none;padding:0}.scroll,figure{overflow:visible}.scroll{margin:.6rem 0}
h2,h3,.source,summary,caption{break-after:avoid}figure,.notes,.verdict,tr,table:not(:has(tr:nth-child(26))){break-inside:avoid}
section.task{break-before:page}
figure>svg{max-height:11cm}figure.tall>svg{max-height:20cm}figure.long{display:contents}figure.long>svg{max-height:none}figure.cut>svg{position:absolute;width:0;height:0}figure.cut>svg.page{display:block;position:static;width:100%;height:auto;max-height:25cm;break-inside:avoid}
nav{display:none}details{display:block}details details{margin-left:0}summary{list-style:none;color:inherit}
main .scroll table{font-size:.57rem;line-height:1.3}main .scroll :is(th,td){padding:.12rem .13rem;white-space:normal!important}main .scroll :is(thead th,td>i,small){font-size:inherit;line-height:1.3}td.run-on{overflow-wrap:anywhere;min-width:7em}
.folded{display:block}details:not([open])>summary::after{content:" (folded)"}}
`
