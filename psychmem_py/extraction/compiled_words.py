"""Words of the language files: abbreviations, laughter, politeness. Made by patterns/compile_words.py; mend the files in patterns/."""

# fmt: off
from __future__ import annotations

ABBREVIATIONS = frozenset("""
    z.b d.h u.a bzw ca usw evtl ggf e.g i.e etc vs cf approx resp incl excl no nr fig dr mr mrs ms st p.ej p ej aprox tel art
    cioe es ecc p.es bv d.w.z o.a enz np itd itp tzn m.in tj т.е т.д т.п т.к др örn vb
""".split())
LAUGHTER = (
    'ههه+', '(?:ha|he|hi|ja|je|ah){2,}[haeij]*', 'lol', 'lmao', 'rofl', 'xd+', 'mdr', 'ptdr', 'k{3,}', '(?:rs){2,}',
    '(?:ха|хе|ах){2,}[хеа]*', 'лол',
)
UNSPACED_LAUGHTER = (
    '[（(]笑[)）]', 'ㅋ{2,}', 'ㅎ{2,}', '哈{2,}', '呵{2,}',
)
LEADING_WORDS = (
    'und', 'aber', 'gut', 'bitte', 'ok', 'okay', 'alright', 'all right', 'right', 'great', 'nice', 'perfect', 'good',
    'cool', 'thanks', 'thank you', 'yes', 'yeah', 'yep', 'well', 'so', 'and', 'but', 'also', 'then', 'oh', 'ah', 'hmm',
    'hey', 'hi', 'hello', 'please', 'pls', 'pero', 'vale', 'bueno', 'et', 'mais', 'donc', 'bon', 'però', 'maar', 'dus',
    'ale', 'więc', 'então', 'но', 'так', 'ну', 'ладно', 'хорошо', 've', 'ama', 'tamam',
)
BY_THE_WAY = (
    'بالمناسبة', 'ach übrigens', 'übrigens', 'by the way', 'btw', 'fyi', 'por cierto', 'au fait', 'वैसे', 'a proposito',
    'ちなみに', '참고로', 'trouwens', 'przy okazji', 'aliás', 'a propósito', 'кстати', 'bu arada', '对了', '對了', '顺便说一下', '順便說一下',
)
CLOSING_COURTESIES = (
    'bitte', 'danke', 'please', 'pls', 'plz', 'ok', 'okay', 'thanks', 'thank you', 'por favor', 'gracias', "s'il te plait",
    "s'il te plaît", "s'il vous plait", "s'il vous plaît", 'per favore', 'grazie', 'alsjeblieft', 'proszę', 'пожалуйста',
    'lütfen',
)
THAT = (
    'أن', 'ان', 'إن', 'dass', 'daß', 'that', 'to', 'que', "qu'", 'कि', 'che', 'di', 'dat', 'że', 'ze', 'что', 'ki',
)
