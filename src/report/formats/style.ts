/** The style of the report page. In dark mode the lightness of figures is inverted; hues stay. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1d1f23;--paper:#fff;--soft:#5c6470;--line:#d9dde3;--stripe:#f5f7f9;--link:#0b57a4}
@media(prefers-color-scheme:dark){:root{--ink:#e6e8eb;--paper:#16181c;--soft:#9aa3af;--line:#343a43;--stripe:#1e2126;--link:#7db7f2}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:1.5rem;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif}
h1{font-size:1.5rem;margin:0 0 .25rem;overflow-wrap:anywhere}
h2{font-size:1.35rem;margin:3rem 0 0;border-top:2px solid var(--line);padding-top:1rem}
h3{font-size:1.1rem;margin:1.75rem 0 .25rem}
.headline{margin:1rem 0;padding:.75rem 1rem .75rem 2rem;border:1px solid var(--line);border-radius:6px;background:var(--stripe);overflow-wrap:anywhere}
header p,.source,.notes,:is(caption,.parts) a{color:var(--soft)}
.source{margin:0 0 .5rem;font-size:.85rem;overflow-wrap:anywhere}
.notes{margin:.25rem 0 1rem;padding-left:1.2rem;font-size:.9rem}
a{color:var(--link)}
code{overflow-wrap:anywhere}
nav>ul{columns:3 16rem;list-style:none;padding:0;margin:1rem 0}
nav>ul>li{break-inside:avoid;font-weight:600;margin-bottom:.5rem}
nav ul ul{font-weight:400;padding-left:1.2rem}
nav a{display:inline-block;min-height:24px}
.scroll{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.3rem 0}
.parts{font-weight:600;font-size:.88rem;margin:1rem 0 0}
:is(caption,.parts) a{font-weight:400;font-size:.8rem;margin-left:.5rem}
th,td{padding:.28rem .7rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);max-width:28rem;overflow-wrap:break-word}
th{border-bottom:2px solid var(--line);white-space:nowrap}
tbody tr:nth-child(even){background:var(--stripe)}
.n{text-align:right;white-space:nowrap}
.long{min-width:19rem}
.ci{color:var(--soft);font-size:.85em}
figure{margin:1rem 0;background:#fff;border:1px solid var(--line);border-radius:6px;padding:.5rem;overflow-x:auto;color:#222}
figure>svg{max-width:100%;height:auto;display:block;margin:0 auto}figure>svg.page{display:none}
summary{cursor:pointer;color:var(--link);margin:.75rem 0}
.parts~details>summary{margin:.4rem 0}
a:focus-visible,summary:focus-visible{outline:2px solid var(--link);outline-offset:2px}
h2.task{font-size:1.15rem;margin-top:2rem;border-top:1px solid var(--line)}
details.analysis>summary{margin:.4rem 0}
.folded{display:none}
figure:focus-visible,.scroll:focus-visible{outline:2px solid var(--link)}
@media screen and (prefers-color-scheme:dark){figure{background:#141414}figure>svg{filter:invert(.92) hue-rotate(180deg)}}
@media screen and (max-width:44rem){body{padding:.75rem}figure>svg{max-width:none;width:38rem}}
@media print{:root{color-scheme:light;--ink:#1d1f23;--paper:#fff;--soft:#5c6470;--line:#d9dde3;--stripe:#f5f7f9;--link:#0b57a4}
body{max-width:none;padding:0}.scroll,figure{overflow:visible}.scroll{margin:.6rem 0}
h2,h3,.source,summary,caption{break-after:avoid}figure,.notes,tr,table:not(:has(tr:nth-child(26))){break-inside:avoid}
figure{margin:.6rem 0;padding:.25rem}figure>svg{max-height:11cm}figure.tall>svg{max-height:20cm}figure.long{display:contents}figure.long>svg{max-height:none}figure.cut>svg{position:absolute;width:0;height:0}figure.cut>svg.page{display:block;position:static;width:100%;height:auto;max-height:25cm;break-inside:avoid}
nav{display:none}details{display:block}summary{list-style:none;color:inherit;margin:.15rem 0!important}
table{font-size:.57rem}th,td{padding:.12rem .13rem;white-space:normal!important}th{font-weight:500}.long{min-width:0}td.run-on{overflow-wrap:anywhere;min-width:7em}
.folded{display:block}details:not([open])>summary::after{content:" (folded)"}}
`
