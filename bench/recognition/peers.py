"""CPU time of lark and nltk on one grammar: JSON job on stdin, one JSON line a parser on stdout.

Job: grammar (RELIC text), rules [[left, right...]], strings [[text, member]], cap (CPU seconds a parser), passes.
A parser that is over its cap reports what it finished. `--versions` prints what is installed.
"""
import json
import signal
import sys
import time


def versions():
    found = {}
    for name in ("lark", "nltk"):
        try:
            found[name] = __import__(name).__version__
        except ImportError:
            found[name] = None
    print(json.dumps(found))


class OverCap(Exception):
    pass


def over_cap(_signal, _frame):
    raise OverCap()


def lark_grammar(rules):
    low = lambda symbol: symbol["name"].lower() if symbol["kind"] == "nonterminal" else json.dumps(symbol["name"])
    by_left = {}
    for left, *right in rules:
        by_left.setdefault(left.lower(), []).append(" ".join(low(symbol) for symbol in right))
    lines = [f"{left}: " + " | ".join(alternatives) for left, alternatives in by_left.items()]
    return "\n".join(lines) + '\n%ignore " "\n'


def lark_parser(job, parser):
    import lark

    machine = lark.Lark(lark_grammar(job["rules"]), start=job["start"].lower(), parser=parser)

    def accepts(text):
        try:
            machine.parse(text)
            return True
        except (lark.exceptions.LarkError, lark.exceptions.ParseError):
            return False

    return accepts


def nltk_chart(job):
    import nltk

    machine = nltk.ChartParser(nltk.CFG.fromstring(job["grammar"]))

    def accepts(text):
        try:
            return any(True for _ in machine.parse(text.split(" ")))
        except ValueError:
            return False

    return accepts


def measure(name, make, job):
    result = {"parser": name, "finished": 0, "seconds": [], "wrong": 0}
    signal.setitimer(signal.ITIMER_PROF, job["cap"])
    try:
        accepts = make()
        for _ in range(job["passes"]):
            start = time.process_time()
            for index, (text, member) in enumerate(job["strings"]):
                if accepts(text) != member:
                    result["wrong"] += 1
                result["finished"] = max(result["finished"], index + 1)
            result["seconds"].append(time.process_time() - start)
    except OverCap:
        pass
    except Exception as error:
        result["error"] = f"{type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    print(json.dumps(result), flush=True)


def main():
    if "--versions" in sys.argv:
        return versions()
    sys.setrecursionlimit(100000)
    signal.signal(signal.SIGPROF, over_cap)
    job = json.load(sys.stdin)
    measure("lark earley", lambda: lark_parser(job, "earley"), job)
    measure("lark cyk", lambda: lark_parser(job, "cyk"), job)
    measure("nltk chart", lambda: nltk_chart(job), job)


main()
