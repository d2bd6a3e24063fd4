"""Prints the tables of all results and draws the queries per second.

    table.py RESULTS SVG
"""

import json
import math
import pathlib
import sys

COLUMNS = "| | build, s (CPU) | CPU ms a query | p50 / p99, ms | queries/s, two at once | recall@5 | memory, B a row | disk, B a row | load |"
WIDTH, BAR, LEFT, TOP = 860, 18, 300, 30


def number(value):
    """Two or three digits, as measuring allows."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.{2 if value < 1 else 1}f}" if value >= 0.1 else f"{value:.2g}"


def row(found):
    name = found["peer"]
    if "said" in found:
        return f"| {name} | took in {found['said']} | | | | | | | {found['load']:.0f} |"
    effort = f", effort {found['effort']}" if "effort" in found else ""
    recall = f"{found['recall']:.3f}" if found["recall"] is not None else "—"
    disk = number(found["disk"]) if found.get("disk") else "—"
    rate = number(found["per_s"]) + (" (processes)" if found["how"] == "processes" else "")
    return (
        f"| {name}{effort} | {number(found['build_s'])} ({number(found['build_cpu_s'])}) | {number(found['cpu_ms'])} "
        f"| {number(found['p50_ms'])} / {number(found['p99_ms'])} | {rate} | {recall} | {number(found['bytes'])} "
        f"| {disk} | {found['load']:.0f} |"
    )


def title(results):
    spaces, rows = results[0]["spaces"], results[0]["rows"]
    return f"{rows:,} in {spaces:,} spaces" if spaces > 1 else f"{rows:,} in one space"


def chart(groups):
    """Bars on a logarithmic scale from 0.1 to a million queries a second."""
    drawn, y = [], TOP

    def x(rate):
        return LEFT + (math.log10(max(rate, 0.1)) + 1) / 7 * (WIDTH - LEFT - 70)

    def text(at, y, words, extra=""):
        drawn.append(f'<text x="{at:.0f}" y="{y:.0f}" {extra}>{words}</text>')

    for results in groups:
        text(LEFT, y, f"Queries/s, two at once: {title(results)}", 'font-weight="bold"')
        y += 10
        for found in sorted(results, key=lambda found: -found.get("per_s", 0)):
            own = found["peer"].startswith("Saidso")
            text(LEFT - 8, y + BAR - 5, found["peer"], 'text-anchor="end"')
            if "said" in found:
                text(LEFT + 4, y + BAR - 5, f"took in {found['said']}", 'fill="#777"')
            else:
                end = x(found["per_s"])
                fill = "#1f5f8b" if own else "#9aa5b1"
                drawn.append(f'<rect x="{LEFT}" y="{y + 3}" width="{end - LEFT:.0f}" height="{BAR - 5}" fill="{fill}"/>')
                text(end + 5, y + BAR - 5, number(found["per_s"]))
            y += BAR
        drawn.append(f'<line x1="{LEFT}" y1="{y + 4}" x2="{WIDTH - 70}" y2="{y + 4}" stroke="#777"/>')
        for power in range(-1, 7):
            at = x(10.0**power)
            drawn.append(f'<line x1="{at:.0f}" y1="{y + 4}" x2="{at:.0f}" y2="{y + 8}" stroke="#777"/>')
            text(at, y + 20, f"{10.0**power:,.0f}" if power >= 0 else "0.1", 'text-anchor="middle" fill="#777"')
        y += 50
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y - 20}" font-family="sans-serif" '
        f'font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(drawn) + "\n</svg>\n"
    )


def turns(results):
    print("| 10,000 memories, 200 customers | CPU ms: add a turn | p50 / p99, ms | CPU ms: a search | p50 / p99, ms | searches/s, two at once | results a search | load |")
    print("|---|---|---|---|---|---|---|---|")
    for found in results:
        add, search = found["add"], found["search"]
        print(
            f"| {found['peer']} | {number(add['cpu_ms'])} | {number(add['p50_ms'])} / {number(add['p99_ms'])} "
            f"| {number(search['cpu_ms'])} | {number(search['p50_ms'])} / {number(search['p99_ms'])} "
            f"| {number(search['per_s'])} | {found['results']:.1f} | {found['load']:.0f} |"
        )


def results_of(folder, name):
    found = [json.loads(path.read_text()) for path in sorted(pathlib.Path(folder).glob(f"{name}.*.json"))]
    return sorted(found, key=lambda found: (not found["peer"].startswith("Saidso"), found.get("cpu_ms", math.inf)))


def main(folder, picture):
    many, one = results_of(folder, "many"), results_of(folder, "one")
    # The small set is for those that could not take in the large one.
    measured = {found["peer"] for found in many if "said" not in found and not found["peer"].startswith("Saidso")}
    small = [found for found in results_of(folder, "many-small") if found["peer"] not in measured]
    for results in (many, small, one):
        print(f"{title(results)}:\n\n{COLUMNS}\n|---|---|---|---|---|---|---|---|---|")
        print("\n".join(row(found) for found in results), end="\n\n")
    turns(results_of(folder, "turns"))
    pathlib.Path(picture).write_text(chart((many, small, one)))


if __name__ == "__main__":
    main(*sys.argv[1:])
