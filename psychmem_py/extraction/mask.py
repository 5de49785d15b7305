"""What in a message is not the speaker's own running text becomes spaces, names (code, paths, URLs) one opaque word each."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby
from typing import Any

import regex

from psychmem_py.text.folding import late
from psychmem_py.text.tokenizer import clip

OPAQUE = "\u02d0"  # a letter of no script: part of words, in no language
_FENCE = late(r"(?m)^[ \t>]*(```++|~~~++)[^\n]*\n(?:(?s:.*?)^[ \t>]*\1[ \t]*$|(?s:.*)\Z)|```(?s:.*?)```")
# Blocks of clients and plugins: a tag that spans lines or has a compound name; unclosed in a sentence it is a name: "on <HOST>".
_BLOCK = late(
    r"(?s)<([a-z][a-z0-9]*(?:[-_:][a-z0-9]+)+|[A-Z][A-Z_-]{3,})\b[^<>]*>.*?</\1>"
    r"|(?m:^)[ \t]*<(?:[a-z][a-z0-9]*(?:[-_:][a-z0-9]+)+\b[^<>]*>|[A-Z][A-Z_-]{3,}\b[^<>]*>[ \t]*\n).*\Z"
    r"|<([a-z][a-z0-9]*)\b[^<>]*>(?=[^\n]{0,2000}\n).{0,20000}?</\2>"
)
_PLACEHOLDER = late(r"<[A-Z][A-Z_-]{1,30}>")
_TAG = late(r"</?[a-z][\w-]*(?:\s[^<>\n]*)?/?>|<!--(?s:.{0,4000}?)-->")
_URL = late(r"\b(?:https?|ftp|file|ssh|git|postgres(?:ql)?|redis|mongodb)://[^\s<>)\]\"'、。，）」]+|\bwww\.[^\s<>)\]]+")
_TAG_AS_NAME = late(r"`[^`\n]{0,100}<[^`\n]{1,100}`")  # "`<my-dialog>`" opens no block
_INLINE = late(r"`([^`\n]{1,200})`")
_PATHLIKE = re.compile(
    r"(?<![^\s()\"'<>,;:`、，。])[^\s()\"'<>,;:`、，。]*(?:[\\/.@][^\s()\"'<>,;:`、，。]+|/(?![^\s()\"'<>,;:`、，。]))"
)
_OF_ONE_SCRIPT = re.compile(r"[!-~]{3,}")  # "src/app에": what a script without spaces glues to a path is no part of it
_FOLDER = re.compile(
    r"(?:src|libs?|apps?|pkg|packages|docs?|db|config|cmd|internal|scripts|utils|public|assets|vendor|node_modules|dist|components|pages"
    r"|locales|tests|migrations|infra|services|resources|static|templates|modules|core|features)/[\w.*-]+$"
)
_SUFFIX = re.compile(
    r"\.(?:py|pyi|jsx?|tsx?|mjs|cjs|json|ya?ml|toml|md|txt|html?|s?css|sql|sh|bat|ps1|go|rs|java|kt|cs|cpp|[ch]|hpp|rb|php|vue|svelte|xml|csv|lock|env|ini|cfg|conf|ipynb|dart|swift|gradle|tf|proto|log|png|svg|pdf"
    r"|xlsx?|docx?)$"
)
_LIBRARY = re.compile(  # not a file but the name of a library
    r"(?i)(?:next|node|vue|nuxt|nest|react|express|three|d3|chart|alpine|ember|solid|backbone|moment|socket|discord|p5|electron|angular"
    r"|phaser|tensorflow|pixi|day|asp|deno|svelte|astro|knockout|handlebars)\.(?:js|io|net)$"
)
_QUOTED = late(
    r"\"([^\"\n]{1,400}+)\"|“([^”\n]{1,400}+)”|„([^“”\"\n]{1,400}+)[“”\"]|«([^»\n]{1,400}+)»|「([^」\n]{1,400}+)」|『([^』\n]{1,400}+)』|‘([^’\n]{2,400}+)’(?!\w)"
    r"|(?<![\w'])'([^'\n]{1,200}+)'(?!\w)"
)
_LINE = late(
    # "Warning: don't deploy on Fridays" is a person's label, and no program's line.
    r"(?x)^[ \t]*+(?!(?i:warning|error|critical|notice):\ (?:never|always|don't)\ )(?:"
    r"\|.*\|[ \t]*$|[|+:\-=\ \t]{4,}+$|[─━═│┌└├╔╚║].*"  # tables, rules, boxes
    r"|>.*"  # quoted lines
    r"|\[?\(?\d{4}-\d\d-\d\d[T\ ](?:\d\d:\d\d|DEBUG\b|INFO\b|WARN|ERROR\b).*|\[?\d\d:\d\d:\d\d[\].,\ ].*|\[?\d{1,2}/\w{3}/\d{4}.*"  # log lines
    r"|\[?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE|CRITICAL|NOTICE)\b[\]:\ ].*|(?:npm|yarn|pnpm|gyp|pip|cargo)\ (?:ERR!|WARN|warn|notice|error|warning)\b.*"
    r"|\[?(?:\w+\.)*\w*(?:Error|Exception|Warning|Traceback)\b(?:\ \[\w+\])?:.*|(?:Uncaught|Caused\ by:|During\ handling\ of|Traceback\ \().*|(?:error|warning|fatal)(?:\[[\w:-]+\]|\ TS\d+)?:\ .*"
    r"|at\ [\w$.<>\[\]\ ]+[(@].*|at\ (?:async\ )?\S+:\d+.*|File\ \".*,\ line\ \d.*\n[ \t]++\S.*|File\ \".*|\S++(?<=\S:\d+:?)\ .*|\w+\ @\ \S+:\d+.*|\.\.\.\ \d+\ more.*|goroutine\ \d+.*"
    r"|(?:diff\ --git|index\ [0-9a-f]{6,}|@@\ |\+\+\+\ |---\ [ab]/).*"
    r"|(?:\$|%|❯|➜|PS\ [A-Z]:[^>]*>|[A-Z]:\\[^>\n]*>|(?:\([\w.-]+\)\ )?[\w.-]+@[\w.-]+:[^$#\n]*[$#])\ ?\S.*"  # prompts
    r"|[\"'][\w$.\- ]+[\"']\s*:\s*.*[,{\[\]}\"\d el]$|[{}\[\]();,]+[ \t]*$"  # JSON, brackets
    r"|(?P<keyword>import|export|from|const|let|var|def|class|function|return|public|private|protected|static|async|await|package|using|namespace|struct|interface|enum|type|fn|func|impl|pub|use|if|for|while|else|try|catch|elif|except|print|console\.log|SELECT|INSERT|UPDATE|CREATE|ALTER|DROP|FROM|WHERE)\b.*(?:[{;]|:|\)|\(|=>)[ \t]*$"
    r"|[\w.$\[\]\"']+\s*(?:=|\+=|:=)\s*\S.*[;)\]}\"'\d]$|.*(?:=>|\)\s*\{|;)\s*$(?<=[{};>]\s*)(?<![\p{L}]\;)"
    r"|<[/a-zA-Z!][^>]*>.*|.*</\w+>[ \t]*$|\#include.*|//.*|/\*.*|\*/.*"
    r"|-?\w,\ {1,4}--\w[\w-]*(?:[=\ ].*)?"  # usage texts: "-f, --force  Do not ask"
    r"|(?P<method>GET|POST|PUT|DELETE|PATCH|HTTP/\d)\ ?\S*(?:/|\d).*|\d{1,3}(?:\.\d{1,3}){3}\ .*|[A-Z_]{3,}=\S.*"
    r")[ \t]*$",
    regex.MULTILINE,
)
_INSERTED = re.compile(  # texts that clients type in the person's name: continuation summaries, plan templates, interruptions
    r"(?im)^[ \t]*(?:This session is being continued from a previous conversation|Caveat: The messages below were generated|Please continue the conversation from where we left"
    r"|Implement the (?:plan as specified, it is attached|following plan:)|Operation stopped by hook\b|To-do's from the plan have already been created|The following (?:is|are) (?:the )?(?:available|attached) |Your task is to create a detailed summary"
    r"|# Continuation|# (?:AGENTS|CLAUDE|GEMINI)\.md instructions|Base directory for this skill:|Contents of /|The user (?:has )?(?:sent|opened|selected))"
)
# Lines of a program that opens each with its name: "[web] listening". One or two such lines may be a person's own labels.
_TAGGED, _TAGGED_LINES = late(r"(?m)^[ \t]*\[\p{L}[\w .:/-]{1,30}\](?:[ \t][^\n]*)?$"), 3
_DIFF = re.compile(r"(?m)^[ ]?[+-].*$")
_HEADING = late(r"(?m)^[ \t]{0,3}#{1,6}[ \t]+[^\n]*$|^[^\n]{3,80}\n[=\-]{4,}[ \t]*$")
_STRESSED = late(r"(?<![\w/.-])_(?=\p{L})([\p{L}'’ ]{1,40})_(?![\w/.-])")
_LABEL = late(
    r"(?m)^[ \t]*(?:[-*•][ \t]*)?\*\*[^*\n]{1,80}\*\*:?[ \t]*$|^[ \t]*(?:\d{1,2}[.)]|[A-Z][.)]|[IVX]+\.)[ \t]+[^\n]{3,90}[:：][ \t]*$|^[ \t]*\p{Lu}[\p{Lu}\d &/-]{5,60}:?[ \t]*$"
)
# A heading as it comes out of a rendered page: a word or three alone on a line, in a text that has code or sentences below it.
_BARE_HEADING = late(r"(?m)^[ \t]{0,3}\p{Lu}[\p{L}\d'’/-]+(?: [\p{L}\d'’/-]+){0,3}[ \t]*$(?=\n\s*+(?:\S[^\n]{39}|```))")
_ITEM = late(r"(?m)^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+\S")
# A long structured text in a person's message was written elsewhere: plan, prompt, review, issue, summary.
PASTED_CHARS, PASTED_HEADINGS, PASTED_ITEMS = 900, 2, 9
TYPED_ITEMS = 0.9  # of a list, begun in lower case: nobody's document looks so, a person in a hurry writes so

RegexMatch = re.Match[str] | regex.Match[str]


def _blanked(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _blank(match: RegexMatch) -> str:
    return _blanked(match.group())


_PLAIN_WORD = late(r"(?<!\S)[(\"']?[\p{L}'’-]+[,.:;!?)\"']*(?!\S)")
_SIGNS_OF_CODE = late(r"[{}=<>;\[\]]|\(\)|[:(]\s*$")
PROSE_WORDS, PROSE_SHARE, BESIDE_A_CALL = 5, 0.6, 0.8


def _line(match: regex.Match[str]) -> str:
    """Blank, except for a sentence that begins with a word of code: "use pnpm, not npm (we have workspaces)", "POST /users …"."""
    if match["method"] or (match["keyword"] and not _SIGNS_OF_CODE.search(match.group())):
        words = len(_PLAIN_WORD.findall(match.group()))
        share = BESIDE_A_CALL if re.search(r"\w\(", match.group()) else PROSE_SHARE  # "from now on always use Depends(x)"
        if words >= PROSE_WORDS and words >= share * len(match.group().split()):
            return match.group()
    return _blank(match)


def _word(match: RegexMatch) -> str:
    return OPAQUE * len(match.group())


def _path(match: re.Match[str]) -> str:
    """A file or folder becomes opaque; "and/or" and the dots of abbreviations stay."""
    if max(word := match.group()) >= "\u3000":
        return _OF_ONE_SCRIPT.sub(_path, word)  # which is below that
    body = word.rstrip(".!?")
    parted = body.startswith(("@", "/", "./", "../", "~/", "\\")) or body.count("/") + body.count("\\") > 1
    named = parted or _SUFFIX.search(body) or _FOLDER.match(body) or (body.endswith("/") and len(body) > 2)
    return OPAQUE * len(body) + word[len(body) :] if named and not _LIBRARY.match(body) else word


def _quote(match: regex.Match[str]) -> str:
    """Up to three quoted words are a name and stay as one opaque word; more are somebody's speech."""
    inner = next(group for group in match.groups() if group is not None)
    short = len(inner.split()) <= 3 and len(inner) <= (12 if regex.search(r"[\p{Han}\p{Hiragana}\p{Katakana}]", inner) else 40)
    return OPAQUE * len(match.group()) if short else " " * len(match.group())


_STEPS: tuple[tuple[str, Any, Callable[[Any], str]], ...] = (
    ("```", _FENCE, _blank),
    ("~~~", _FENCE, _blank),
    ("`", _TAG_AS_NAME, _word),
    ("<", _BLOCK, _blank),
    ("<", _PLACEHOLDER, _word),
    ("", _LINE, _line),
    ("<", _TAG, _blank),
    ("`", _INLINE, _word),
    ("", _URL, _word),
    ("", _PATHLIKE, _path),
    ("", _QUOTED, _quote),
    ("_", _STRESSED, lambda match: f" {match[1]} "),
)


def masked(text: str, *, from_human: bool = True) -> str:
    """`text` with everything that is not the speaker's own prose blanked or made opaque; as long as it was."""
    out = text.replace("\r", " ").replace("\t", " ")
    for trigger, pattern, change in _STEPS:
        if trigger in out:
            out = pattern.sub(change, out)
    if "[" in out and len(_TAGGED.findall(out)) >= _TAGGED_LINES:
        out = _TAGGED.sub(_blank, out)
    if inserted := _INSERTED.search(out):
        out = out[: inserted.start()] + _blanked(out[inserted.start() :])
    if "\n@@ " in text or text.startswith("@@ ") or "diff --git" in text:
        out = _DIFF.sub(_blank, out)
    if "#" in out or "==" in out or "---" in out:
        # One line with a # in a short message of a person is a note to the agent; others say what a section is about.
        noted = from_human and len(out) < PASTED_CHARS and len(_HEADING.findall(out)) == 1
        out = out if noted else _HEADING.sub(_blank, out)
    if from_human and len(text) >= PASTED_CHARS:
        out = _without_document(text, out)
    return out


_FENCES = ("```", "~~~")
_PASTED_LINES, _PASTED_CHARS, _EDGE_CHARS = 3, 300, 160  # so many foreign lines or signs are a paste; of its first and last line


def without_pastes(text: str) -> str:
    """`text` with the first and last line of each stretch of code, log or quotation in it."""
    lines = text.split("\n")
    foreign: list[bool] = []
    for spoken, own in zip(lines, masked(text, from_human=False).split("\n"), strict=True):
        blank = not spoken.strip()
        foreign.append(foreign[-1] if blank and foreign else not blank and 2 * len(own.split()) < len(spoken.split()))
    out: list[str] = []
    for is_foreign, group in groupby(zip(foreign, lines, strict=True), key=lambda pair: pair[0]):
        part = [spoken for _, spoken in group]
        said = [one for one in part if one.strip()]
        fences, filled = ([one for one in said if one.lstrip().startswith(_FENCES) is wanted] for wanted in (True, False))
        if is_foreign and len(filled) > 1 and (len(filled) > _PASTED_LINES or sum(map(len, filled)) > _PASTED_CHARS):
            part = [*fences[:1], filled[0], f"[… {len(filled) - 2} lines]", filled[-1], *fences[1:][-1:]]  # fences mark a paste
            part = [clip(one, _EDGE_CHARS) for one in part]
        out += part
    return "\n".join(out)


def _without_document(original: str, text: str) -> str:
    """Blanks a pasted document, from its first heading, label or long list to the end of its last; words before it stay."""
    marks = [match.start() for pattern in (_HEADING, _LABEL, _BARE_HEADING) for match in pattern.finditer(original)]
    items = list(_ITEM.finditer(original))
    typed = sum(item.group()[-1].islower() for item in items) >= TYPED_ITEMS * len(items)
    if len(marks) < PASTED_HEADINGS and (typed or len(items) < PASTED_ITEMS):
        return text
    start = min([*(marks if len(marks) >= PASTED_HEADINGS else ()), *(item.start() for item in items)])
    return text[:start] + _blanked(text[start:])
