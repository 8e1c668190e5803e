/// The style sheet, the legend and the script of a report.
///
/// The contrast is at least 3:1 for bars and 4.5:1 for text in both color schemes. Bars also differ in height or
/// pattern.
enum ReportStyle {
    static let css = """
        :root{color-scheme:light dark;--bg:#fff;--fg:#1a1d21;--dim:#59616b;--line:#d5dae0;--grid:#e6e9ed;--card:#f5f7f9;
        --bad:#b3261e;--link:#1457c8;--b:#7a828c;--d:#0f7d86;--o:#b25c00;--t:#8250c4;--s:#a8327d;--w:#2b8a3e;--g:#1c6fd0;
        --q:#8a6d00}
        @media(prefers-color-scheme:dark){:root{--bg:#14171a;--fg:#e6e9ec;--dim:#9aa3ad;--line:#323940;--grid:#24292f;
        --card:#1c2126;--bad:#ff8a80;--link:#8ab8ff;--b:#8d96a0;--d:#3fb8c2;--o:#f0a040;--t:#b392f0;--s:#e17bbd;
        --w:#56c26d;--g:#62a4f5;--q:#d9b73c}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--bg);color:var(--fg);font:14px/1.45 system-ui,sans-serif}
        header{padding:16px 16px 0}
        h1{font-size:20px;margin:0 0 4px;overflow-wrap:anywhere}
        header p{margin:0 0 8px;color:var(--dim)}
        .legend{display:flex;flex-wrap:wrap;gap:2px 14px;margin:0 0 8px;padding:0;list-style:none;color:var(--dim);
        font-size:12px}
        .legend svg{width:22px;height:18px;vertical-align:middle;margin-right:4px}
        #tools{margin:8px 0;display:flex;flex-wrap:wrap;gap:6px 14px;align-items:center}
        #tools[hidden]{display:none}
        #tools input[type=search]{width:220px}
        input,select{font:inherit;color:inherit;background:var(--bg);border:1px solid var(--b);border-radius:4px;
        padding:2px 6px}
        a{color:var(--link)}
        ol{list-style:none;margin:0;padding:0 0 48px}
        #calls>.head,#calls>li>details>summary{display:grid;gap:0 10px;align-items:center;padding:0 16px 0 28px;
        grid-template-columns:64px minmax(160px,1fr) 72px 72px minmax(240px,46%)}
        #calls>.head{position:sticky;top:0;z-index:1;background:var(--bg);border-bottom:1px solid var(--line);
        color:var(--dim);font-size:12px;height:26px}
        #calls>li{border-bottom:1px solid var(--grid)}
        #calls:not(.all)>li:not(.head){content-visibility:auto;contain-intrinsic-size:auto 30px}
        #calls>li>details>summary{min-height:29px;cursor:pointer;position:relative}
        #calls>li>details>summary::-webkit-details-marker{display:none}
        #calls>li>details>summary::before{content:"";position:absolute;left:14px;top:11px;border:4px solid transparent;
        border-left-color:var(--dim)}
        #calls>li>details[open]>summary::before{transform:rotate(90deg);top:13px;left:12px}
        #calls>li>details>summary:hover{background:var(--card)}
        :focus-visible{outline:2px solid var(--link);outline-offset:-2px}
        #calls>li:target{background:var(--card)}
        #calls>.gap{color:var(--dim);font-size:12px;text-align:center;padding:3px;border-bottom:1px dashed var(--line)}
        .nm{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
        .nm b{font-weight:600;font-size:12px}
        .nm i{font-style:normal;font-size:12px;color:var(--dim);border:1px solid var(--line);border-radius:8px;
        padding:0 6px}
        .nm .error{color:var(--bad);border-color:currentColor}
        .n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
        .st{font-variant-numeric:tabular-nums;white-space:nowrap}
        .bad .st{color:var(--bad);font-weight:600}
        .lane{display:block;width:100%;height:18px;overflow:visible}
        #calls summary .lane{height:28px;padding:5px 0;overflow:hidden}
        rect{y:5px;height:8px}
        .c{y:8px;height:2px;fill:var(--dim);stroke:var(--dim);stroke-width:1px}
        .f{fill:var(--bad);stroke:var(--bad)}
        rect.b{y:7px;height:4px;fill:var(--b)}
        rect.d{fill:var(--d)}rect.o{fill:var(--o)}rect.t{fill:var(--t)}rect.s{fill:var(--s)}
        rect.w{y:4px;height:10px;fill:var(--w)}
        rect.g{y:1px;height:16px;fill:var(--g)}
        rect.h,rect.q{y:5px;height:8px;stroke-width:1px}
        rect.h{fill:url(#hatch);stroke:var(--dim)}
        rect.q{fill:url(#dots);stroke:var(--q)}
        #hatch path{stroke:var(--dim);stroke-width:2px}
        #hatch rect,#dots rect{y:0;height:6px;fill:var(--bg)}
        #dots circle{fill:var(--q);stroke:none}
        circle{fill:var(--bg);stroke:var(--fg);stroke-width:2px}
        .defs{position:absolute;width:0;height:0}
        .sorted .lane{display:none!important}
        .sorted .head span:nth-child(2){visibility:hidden}
        .axis text{fill:var(--dim);font-size:11px}
        .more{background:var(--card);padding:8px 16px 12px 28px}
        .more p{margin:4px 0}
        .url,pre{font:12px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere;
        unicode-bidi:plaintext}
        .error{color:var(--bad);overflow-wrap:anywhere}
        section{margin:10px 0}
        h2{font-size:14px;margin:0 0 4px;overflow-wrap:anywhere}
        .phases span{display:inline-block;margin-right:12px;font-size:12px;border-bottom:3px solid;padding:0 2px}
        .phases .b{border-color:var(--b)}.phases .d{border-color:var(--d)}.phases .o{border-color:var(--o)}
        .phases .t{border-color:var(--t)}.phases .s{border-color:var(--s)}.phases .w{border-color:var(--w)}
        .phases .g{border-color:var(--g)}
        .more summary{cursor:pointer;padding:2px 0;overflow-wrap:anywhere}
        pre{margin:4px 0 8px;padding:8px;background:var(--bg);border:1px solid var(--line);border-radius:4px;
        white-space:pre-wrap}
        @media(max-width:720px){
        header{padding:12px 12px 0}
        #calls>.head{display:block;padding:0 12px}.head span{display:none}
        #calls:not(.all)>li:not(.head){contain-intrinsic-size:auto 56px}
        #calls>li>details>summary{grid-template-columns:auto minmax(0,1fr) auto;padding:4px 12px 0 24px;
        align-items:start}
        #calls>li>details>summary::before{left:10px}
        #calls>li>details[open]>summary::before{left:8px}
        #calls>li>details>summary .lane{grid-column:1/-1;width:calc(100% + 12px);margin-left:-12px}
        .sz,.axis text:nth-child(even){display:none}
        .nm{white-space:normal;overflow-wrap:anywhere}
        .nm i{display:inline-block}
        .more{padding:8px 12px}
        }
        @media print{#calls>.head{position:static}#tools{display:none}}

        """

    /// Returns the CSS rule that draws grid lines behind the bars.
    ///
    /// - Parameters:
    ///   - section: the zero-based index of the section.
    ///   - positions: the positions of the axis's tick marks, from 0 to 1.
    /// - Returns: the rule.
    static func grid(of section: Int, at positions: [Double]) -> String {
        guard !positions.isEmpty else { return "" }
        let stops = positions.sorted().map { position in
            let percent = ReportLane.percent(position)
            let end = "calc(\(percent) + 1px)"
            return "transparent \(percent),var(--grid) \(percent) \(end),transparent \(end)"
        }
        let lanes = ".s\(section)>.axis,.s\(section)>details>summary>.lane"
        return "\(lanes){background-image:linear-gradient(90deg,\(stops.joined(separator: ",")))}\n"
    }

    /// The patterns for the bars of waits.
    static let patterns = """
        <svg class=defs aria-hidden=true><defs><pattern id=hatch patternUnits=userSpaceOnUse width=6 height=6>\
        <rect width=6 height=6 /><path d="M-1 7L7-1"/></pattern>\
        <pattern id=dots patternUnits=userSpaceOnUse width=6 height=6><rect width=6 height=6 />\
        <circle cx=3 cy=3 r=1.5 /></pattern></defs></svg>
        """

    /// Returns the legend for the bars of some styles, and for the cache mark `k`.
    static func legend(of styles: Set<String>) -> String {
        let bars = [
            ("c", "call"), ("f", "failed call"), ("q", "waiting for a permit of a limit, or for a network"),
            ("b", "blocked, by a limit, a credential or a redirect"), ("d", "name lookup"), ("o", "connection"),
            ("t", "TLS"), ("s", "sending"), ("w", "waiting for the response"), ("g", "receiving the body"),
            ("h", "waiting for the next attempt"),
        ]
        var items = bars.filter { styles.contains($0.0) }.map { style, text in
            let all = style == "f" ? "\"c f\"" : style
            return "<li><svg aria-hidden=true><rect class=\(all) x=1 width=20 /></svg>\(text)</li>"
        }
        if styles.contains("k") {
            items.append("<li><svg aria-hidden=true><circle cx=11 cy=9 r=4 /></svg>from a cache or another call</li>")
        }
        return "<ul class=legend>\(items.joined())</ul>"
    }

    /// The filter form, which is hidden unless the script runs.
    static let form = """
        <form id=tools hidden><label>Filter <input type=search name=text placeholder="path, status, method"></label>
        <label><input type=checkbox name=failed> failed only</label>
        <label>Order <select name=order><option value=start>start<option value=time>longest<option value=size>largest\
        </select></label>
        <output></output></form>
        """

    /// The script, which filters and sorts the calls.
    ///
    /// The browser skips rendering offscreen rows until the filter or the order first changes. From then on, it renders
    /// all rows: in Chromium, an update of 5,000 rows takes 0.4 s if they are rendered, but 2 s if they are skipped.
    /// Rows are removed rather than hidden, because hiding them takes more than a minute.
    static let script = """
        {const form=document.getElementById("tools"),list=document.getElementById("calls"),all=[...list.children];
        let texts,timer;
        const apply=()=>{texts??=all.map(row=>row.querySelector("summary")?.textContent.toLowerCase());
        const words=form.text.value.toLowerCase().split(/\\s+/),order=form.order.value,isFailed=form.failed.checked,
        isAll=!isFailed&&words.join("")==="";
        const isSorted=order!=="start";
        const shown=all.filter((row,index)=>{if(row.classList.contains("head"))return !isSorted;
        if(row.className==="gap")return isAll&&!isSorted;
        return words.every(word=>texts[index].includes(word))&&(!isFailed||row.classList.contains("bad"))})\
        .filter((row,index,rows)=>row.dataset.time||row.className==="gap"||rows[index+1]?.dataset.time);
        if(isSorted){shown.sort((a,b)=>b.dataset[order]-a.dataset[order]);shown.unshift(all[0])}
        list.className=isSorted?"all sorted":"all";
        list.replaceChildren(...shown);
        form.querySelector("output").textContent=isAll?"":shown.filter(row=>row.dataset.time).length+" shown"};
        form.addEventListener("input",()=>{clearTimeout(timer);timer=setTimeout(apply,150)});
        form.addEventListener("submit",event=>event.preventDefault());
        form.hidden=all.length===0;
        const open=()=>{const row=document.getElementById(location.hash.slice(1));
        if(row?.parentElement===list)row.firstElementChild.open=true};
        addEventListener("hashchange",open);open()}
        """
}
