"""Words of the language files: abbreviations, laughter, politeness, the order of steps. Made by patterns/compile_words.py; mend the files in patterns/."""

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
ADMISSIONS = (
    'كنت مخطئ(?:ا|ة|اً)', 'أخطأت', 'خطأ مني', 'آسفة?', 'عفوا', 'تصحيح', 'لحظة', 'ich lag falsch', 'da lag ich falsch',
    'ich (?:habe?|hab) mich (?:geirrt|vertan|verlesen)', 'mein fehler', 'sorry', 'entschuldigung', 'entschuldige',
    'korrektur', 'ups', 'moment', 'i was wrong', 'my mistake', 'my bad', 'correction', 'scratch that', 'oops', 'i misspoke',
    'i mixed (?:it|that|this|them) up', 'i got (?:it|that) wrong', 'wait', 'actually', 'me equivoqué',
    'estaba equivocad[oa]', '(?:el )?error mío', 'mi error', 'perdón', 'perdona', 'lo siento', 'corrección', 'espera',
    'je me suis trompée?', "j['’]avais tort", '(?:mon erreur|erreur de ma part)', '(?:au temps|autant) pour moi', 'pardon',
    'désolée?', 'attends', '(?:main|mai) galat (?:tha|thi)', 'meri galti', 'maaf karna', 'ruko', 'मैं गलत (?:था|थी)',
    'मुझसे गलती हुई', 'मेरी गलती', 'माफ़? ?कर(?:ना|ें)', 'सॉरी', 'सुधार', 'रुको', 'mi sono sbagliat[oa]', 'ho sbagliato',
    'errore mio', 'colpa mia', 'scus(?:a|ate|ami)', 'correzione', 'aspetta', '(?:私の)?間違(?:えました|えた|って(?:い)?ました|いでした)',
    'すみません', 'ごめん(?:なさい)?', '失礼しました', '訂正(?:します)?', '待って', '(?:제|내)가 (?:틀렸어요?|틀렸네요?|잘못 알았어요?)', '(?:제|내) 실수(?:예요|야|네요)?',
    '죄송(?:해요|합니다)', '미안(?:해요|해)?', '정정(?:합니다|할게요)?', '잠깐만?', 'ik had het (?:fout|mis)', 'ik zat (?:fout|ernaast)',
    'ik vergiste me', 'mijn fout', 'foutje', 'excuses', 'correctie', 'wacht', 'pomylił[ea]m się', 'mylił[ea]m się',
    'mój błąd', 'przepraszam', 'sorki', 'korekta', 'poprawka', 'czekaj', '(?:eu )?estava errad[oa]', '(?:eu )?me enganei',
    'enganei-me', 'erro meu', 'meu erro', 'desculp[ae]', 'correção', 'я (?:ошибся|ошиблась|перепутала?)',
    'я был(?: не ?прав|а не ?права)', 'моя ошибка', 'извини(?:те)?', 'прости(?:те)?', 'поправка', 'стоп', 'yanılmışım',
    'yanıldım', 'yanlış söyledim', 'hata bende', 'benim hatam', 'kusura bakma', 'özür dilerim', 'düzeltme', 'dur',
    '我(?:搞|弄|说|說|记|記)?[错錯]了', '抱歉', '不好意思', '[对對]不起', '更正', '等等',
)
LEADING_WORDS = (
    'und', 'aber', 'gut', 'bitte', 'das heißt', 'ich meine', 'ok', 'okay', 'alright', 'all right', 'right', 'great', 'nice',
    'perfect', 'good', 'cool', 'thanks', 'thank you', 'yes', 'yeah', 'yep', 'well', 'so', 'and', 'but', 'also', 'then', 'oh',
    'ah', 'hmm', 'hey', 'hi', 'hello', 'please', 'pls', 'yup', 'yea', 'i mean', 'actually', 'pero', 'vale', 'bueno', 'o sea',
    'es decir', 'et', 'mais', 'donc', 'bon', "c'est-à-dire", 'du coup', 'però', 'cioè', 'maar', 'dus', 'ale', 'więc',
    'czyli', 'então', 'ou seja', 'но', 'так', 'ну', 'ладно', 'хорошо', 'то есть', 've', 'ama', 'tamam', 'yani',
)
BY_THE_WAY = (
    'بالمناسبة', 'علاوة على ذلك', 'بالإضافة إلى ذلك', 'كذلك', 'أيضا', 'أيضًا', 'ach übrigens', 'übrigens', 'im übrigen',
    'außerdem', 'zudem', 'darüber hinaus', 'des weiteren', 'ferner', 'by the way', 'btw', 'fyi', 'besides', 'in addition',
    'additionally', 'furthermore', 'moreover', 'in fact', 'overall', 'por cierto', 'además', 'adicionalmente', 'también',
    'tambien', 'asimismo', 'por otro lado', 'a su vez', 'au fait', 'de plus', 'en outre', 'par ailleurs', 'également',
    "d'ailleurs", 'वैसे', 'इसके अलावा', 'साथ ही', 'a proposito', 'inoltre', "tra l'altro", 'ちなみに', 'また', 'さらに', 'なお', 'それと',
    'あと', '참고로', '또한', '그리고', '추가로', '아울러', 'trouwens', 'bovendien', 'daarnaast', 'overigens', 'przy okazji', 'poza tym',
    'dodatkowo', 'ponadto', 'również', 'także', 'aliás', 'a propósito', 'além disso', 'também', 'por outro lado', 'кстати',
    'кроме того', 'также', 'к тому же', 'bu arada', 'ayrıca', 'bir de', '对了', '對了', '顺便说一下', '順便說一下', '另外', '此外', '並且', '并且',
    '还有', '還有', '而且',
)
CONTRAST = (
    'لكن', 'ولكن', 'بل', 'aber', 'allerdings', 'jedoch', 'sondern', 'doch', 'but', 'although', 'though', 'pero', 'sino',
    'aunque', 'mais', 'cependant', 'toutefois', 'lekin', 'magar', 'par', 'लेकिन', 'मगर', 'परंतु', 'ma', 'però', 'tuttavia',
    'しかし', 'ただし', 'でも', 'ただ', '하지만', '그러나', '다만', 'maar', 'echter', 'ale', 'lecz', 'jednak', 'mas', 'porém', 'contudo', 'но',
    'однако', 'а', 'ama', 'fakat', 'ancak', '但', '但是', '不过', '不過', '可是', '而是',
)
CLOSING_COURTESIES = (
    'bitte', 'danke', 'please', 'pls', 'plz', 'ok', 'okay', 'thanks', 'thank you', 'por favor', 'gracias', "s'il te plait",
    "s'il te plaît", "s'il vous plait", "s'il vous plaît", 'per favore', 'grazie', 'alsjeblieft', 'proszę', 'пожалуйста',
    'lütfen',
)
THAT = (
    'أن', 'ان', 'إن', 'dass', 'daß', 'that', 'to', 'que', "qu'", 'कि', 'che', 'di', 'dat', 'że', 'ze', 'что', 'ki',
)
JOINS_CLAUSES = (
    'و', 'und', 'aber', 'and', 'but', 'y', 'pero', 'et', 'mais', 'और', 'e', 'ma', 'あと', 'それと', '그리고', 'en', 'maar', 'i',
    'ale', 'mas', 'и', 'но', 've', 'ama', '另外', '还有',
)
JOINS_ALSO = (
    'please', 'also',
)
MAIL_HEADS = (
    'من', 'إلى', 'الى', 'الموضوع', 'التاريخ', 'von', 'an', 'betreff', 'datum', 'gesendet', 'from', 'to', 'cc', 'subject',
    'date', 'sent', 'de', 'para', 'asunto', 'fecha', 'enviado', 'à', 'objet', 'envoyé', 'प्रेषक', 'विषय', 'दिनांक', 'da',
    'a', 'oggetto', 'data', 'inviato', '差出人', '宛先', '件名', '日時', '送信日時', '보낸사람', '보낸 사람', '받는사람', '받는 사람', '제목', '날짜', 'van',
    'aan', 'onderwerp', 'verzonden', 'od', 'do', 'temat', 'wysłano', 'assunto', 'enviada', 'от', 'кому', 'тема', 'дата',
    'отправлено', 'kimden', 'kime', 'konu', 'tarih', 'gönderen', '发件人', '收件人', '主题', '日期', '發件人', '主旨',
)
GREETINGS_TO_MANY = (
    'مرحبا جميعا', 'الفريق العزيز', 'السادة الزملاء', 'أعزائي الزملاء', 'الزملاء الأعزاء', 'مرحبا بالجميع',
    'السلام عليكم جميعا', 'عملاءنا الكرام', 'hallo zusammen', 'hallo team', 'hallo alle', 'liebes team', 'liebe kollegen',
    'liebe kolleginnen und kollegen', 'liebe alle', 'sehr geehrte damen und herren', 'hi zusammen', 'moin zusammen',
    'guten tag zusammen', 'liebe kunden', 'dear all', 'dear team', 'dear colleagues', 'dear customers', 'dear partners',
    'dear users', 'hi all', 'hi team', 'hi everyone', 'hi folks', 'hello all', 'hello team', 'hello everyone', 'hey team',
    'hey all', 'hey folks', 'team', 'all', 'folks', 'hola a todos', 'hola a todas', 'hola equipo', 'estimado equipo',
    'estimados', 'estimados todos', 'estimados compañeros', 'queridos compañeros', 'buenos días a todos',
    'estimados clientes', 'bonjour à tous', 'bonjour à toutes', 'bonjour tout le monde', "bonjour l'équipe",
    'chers collègues', 'cher tous', 'chers tous', 'chère équipe', 'salut à tous', "salut l'équipe", 'chers clients',
    'sabko namaste', 'namaste sabko', 'priya team', 'hello sabko', 'hi sabko', 'सभी को नमस्ते', 'नमस्ते सभी', 'प्रिय टीम',
    'प्रिय साथियों', 'प्रिय सहकर्मियों', 'नमस्ते टीम', 'ciao a tutti', 'salve a tutti', 'buongiorno a tutti',
    'cari colleghi', 'gentili colleghi', 'caro team', 'gentile team', 'cari tutti', 'ciao team', 'gentili clienti', '皆様',
    'みなさん', '皆さん', 'チーム各位', '各位', '関係者各位', 'お客様各位', '여러분 안녕하세요', '안녕하세요 여러분', '팀 여러분', '여러분', '고객 여러분', '동료 여러분',
    'hallo allemaal', 'hoi allemaal', 'beste allemaal', "beste collega's", 'beste team', 'hoi team', 'beste klanten',
    'dag allemaal', 'cześć wszystkim', 'witam wszystkich', 'drogi zespole', 'szanowni państwo', 'drodzy koledzy',
    'hej wszystkim', 'cześć zespole', 'dzień dobry wszystkim', 'drodzy klienci', 'olá a todos', 'oi pessoal', 'olá pessoal',
    'bom dia a todos', 'caros colegas', 'prezados', 'prezado time', 'prezada equipe', 'cara equipa', 'cara equipe',
    'olá equipa', 'olá time', 'caros clientes', 'всем привет', 'привет всем', 'уважаемые коллеги', 'дорогие коллеги',
    'коллеги', 'здравствуйте, коллеги', 'дорогая команда', 'команда', 'уважаемые клиенты', 'привет, команда',
    'добрый день, коллеги', 'herkese merhaba', 'merhaba ekip', 'merhaba arkadaşlar', 'değerli ekip', 'sevgili ekip',
    'değerli arkadaşlar', 'sayın müşterilerimiz', 'değerli meslektaşlar', '大家好', '各位同事', '全体同事', '亲爱的团队', '同事们', '尊敬的客户',
)
SIGN_OFFS = (
    'تحياتي', 'مع التحية', 'مع أطيب التحيات', 'وشكرا', 'مع الشكر', 'viele grüße', 'gruß', 'grüße', 'beste grüße',
    'liebe grüße', 'mit freundlichen grüßen', 'freundliche grüße', 'vg', 'mfg', 'lg', 'regards', 'best', 'best regards',
    'kind regards', 'warm regards', 'cheers', 'sincerely', 'yours', 'thanks', 'many thanks', 'br', 'saludos', 'un saludo',
    'saludos cordiales', 'atentamente', 'un abrazo', 'cordialmente', 'cordialement', 'bien à vous', 'bien cordialement',
    'amicalement', 'salutations', 'bonne journée', 'saadar', 'dhanyavaad', 'dhanyavad', 'सादर', 'धन्यवाद', 'शुभकामनाएं',
    'आपका', 'saluti', 'cordiali saluti', 'un saluto', 'distinti saluti', 'a presto', 'よろしくお願いします', 'よろしくお願いいたします', '以上',
    '敬具', '감사합니다', '드림', '올림', '안녕히 계세요', 'groeten', 'groet', 'met vriendelijke groet', 'mvg', 'vriendelijke groet',
    'hartelijke groeten', 'pozdrowienia', 'pozdrawiam', 'z poważaniem', 'serdecznie pozdrawiam', 'abraços', 'atenciosamente',
    'cumprimentos', 'saudações', 'um abraço', 'att', 'с уважением', 'всего доброго', 'с наилучшими пожеланиями', 'спасибо',
    'saygılar', 'saygılarımla', 'selamlar', 'iyi çalışmalar', 'sevgiler', '此致', '祝好', '谢谢', '敬上',
)
BEFORE_A_MAILS_DATE = (
    'am', 'on', 'el', 'le', 'il', 'op', 'w dniu', 'dnia', 'em', 'в', 'пн', 'вт', 'ср', 'чт', 'пт', 'сб', 'вс',
)
STEPS_FIRST = frozenset("""
    اولا بدايه zuerst erstens zunachst first firstly primero d'abord premierement abord pehle पहले prima innanzitutto eerst
    najpierw primeiro сначала сперва once ilk
""".split())
STEPS_FIRST_SIGNS = (
    'まず', '最初に', 'はじめに', '初めに', '먼저', '우선', '첫째', '首先',
)
STEPS_NEXT = frozenset("""
    ثم بعدها ثانيا dann danach anschliessend zweitens then next afterwards secondly luego despues puis ensuite deuxiemement phir
    fir uske फिर उसके दूसरा poi dopo dan daarna vervolgens potem nastepnie pozniej depois потом затем sonra ardindan
""".split())
STEPS_NEXT_SIGNS = (
    '次に', 'その後', 'それから', '다음', '그다음', '둘째', '然后', '然後', '接着', '接著',
)
STEPS_LAST = frozenset("""
    اخيرا واخيرا ختاما zuletzt schliesslich abschliessend finally lastly finalmente ultimo enfin finalement akhir aakhir अंत
    आखिर आखिरकार infine tenslotte slotte uiteindelijk wreszcie koniec наконец конце son sonunda
""".split())
STEPS_LAST_SIGNS = (
    '最後に', '마지막으로', '끝으로', '最后', '最後',
)
