"""Words of the language files: what may stand before the first word of a clause. Made by patterns/compile_words.py; mend the files in patterns/."""

# fmt: off
from __future__ import annotations

OPENERS: dict[str, frozenset[str]] = {
    "ar": frozenset("و لكن ثم نعم لا حسنا من فضلك".split()),
    "de": frozenset("und aber also bitte dann ja nein gut oder auch okay ach".split()),
    "en": frozenset("and but so also or ok okay please pls then well now just btw yes yeah no".split()),
    "es": frozenset("y e pero o vale bueno ahora por favor entonces ademas tambien si no".split()),
    "fr": frozenset("et mais donc alors bon ok sinon aussi oui non s il te vous plait".split()),
    "hi": frozenset("और लेकिन पर तो हां नहीं कृपया ठीक है".split()),
    "it": frozenset("e ma pero allora quindi anche si no ok bene per favore".split()),
    "nl": frozenset("en maar dus ook ja nee goed dan alsjeblieft graag".split()),
    "pl": frozenset("i a ale wiec oraz no tak nie ok prosze to tez".split()),
    "pt": frozenset("e mas entao ok por favor agora tambem sim nao bom".split()),
    "ru": frozenset("и а но так ну да нет же тогда пожалуйста хорошо ок ладно".split()),
    "tr": frozenset("ve ama o zaman da de evet hayir lutfen peki simdi".split()),
}
UNSPACED_OPENERS = (
    'そして', 'ただし', 'じゃあ', 'なので', '그리고', '그런데', '하지만', 'また', 'あと', 'でも', 'では', 'いや', 'はい', '그럼', '那么', '但是', '而且', '并且', '所以',
    '然后', '另外', '还有', '好的', 'ok', '아', '네', '请', '請', '那', '但', '并', '好', '嗯',
)
