"""Words of the language files: by what word in its sentence a value is a secret, and by what none. Made by patterns/compile_words.py; mend the files in patterns/."""

# fmt: off
from __future__ import annotations

NAMES = (
    'key', 'keys', 'apikey', 'token', 'tokens', 'secret', 'secrets', 'passwd', 'pwd', 'pw', 'creds', 'login', 'logs in',
    'log in', 'logged in', 'signs in', 'sign in', 'signed in', 'signing value', 'bearer', 'wifi', 'wi fi', 'wlan',
    'wireless', 'recovery words', 'recovery phrase', 'backup phrase', 'backup words', 'seed words', 'seed phrase', 'seed',
    'mnemonic', 'admin account', 'sandbox account', 'psk', '2fa', 'sudo', 'merchant account', 'boots it', 'admin panel',
    'panel', 'root', 'signed', 'sign', 'signs', 'jwt', 'hmac', 'basic auth', 'guest network', 'portal', 'reset to',
    'lets you in', 'gets you in', 'gets you onto', 'log on', 'logs on', 'log into', 'logging in', 'modem', 'router',
    'hotspot', 'identifies us', 'twelve words', '12 words', '24 words', 'recovery', 'wallet', 'ledger', 'phrase for',
    'credential', 'api refuses', 'database wants', 'zugang', 'zwölf wörter', 'zwolf worter', '12 wörter', '12 worter',
    '24 wörter', '24 worter', 'clé', 'cle', 'clés', 'cles', 'clef', 'clefs', 'jeton', 'jetons', 'mot de passe',
    'mots de passe', 'mdp', 'identifiants', 'phrase de récupération', 'phrase de recuperation', 'mots de récupération',
    'mots de recuperation', 'mots de secours', 'connecte', 'connexion', 'phrase secrète', 'phrase secrete',
    'panneau d admin', 'signé', 'signe', 'signer', 'réseau invité', 'reseau invite', 'portail client', 'routeur',
    'douze mots', '12 mots', '24 mots', 'portefeuille', 'se logue', 'logue', 'loguer', 'clave', 'claves', 'llave', 'secreto',
    'secretos', 'palabras de recuperación', 'palabras de recuperacion', 'frase de recuperación', 'frase de recuperacion',
    'frase semilla', 'palabras semilla', 'semilla', 'acceso', 'iniciar sesión', 'iniciar sesion', 'panel de admin', 'firma',
    'firmamos', 'firmado', 'red de invitados', 'módem', 'doce palabras', '12 palabras', '24 palabras', 'monedero',
    'billetera', 'se entra', 'entrar', 'chiave', 'chiavi', 'password', 'parola d ordine', 'segreto', 'segreti',
    'parole di recupero', 'frase di recupero', 'frase seed', 'accesso', 'accede', 'entra con', 'firmato', 'firmiamo',
    'cifrare', 'rete ospiti', 'dodici parole', '12 parole', '24 parole', 'portafoglio', 'si entra', 'entrare', 'chave',
    'chaves', 'senha', 'senhas', 'palavra passe', 'segredo', 'segredos', 'credenciais', 'palavras de recuperação',
    'palavras de recuperacao', 'frase de recuperação', 'frase de recuperacao', 'frase semente', 'acesso', 'entra se com',
    'assinado', 'assinamos', 'assina', 'rede de convidados', 'roteador', 'doze palavras', '12 palavras', '24 palavras',
    'carteira', 'entra se', 'geheimen', 'logt in', 'toegang', 'twaalf woorden', '12 woorden', '24 woorden', 'haseł', 'hasel',
    'słowa odzyskiwania', 'slowa odzyskiwania', 'fraza odzyskiwania', 'logujemy', 'dane logowania', 'podpisujemy',
    'sieć dla gości', 'siec dla gosci', 'dwanaście słów', 'dwanascie slow', '12 słów', '12 slow', '24 słowa', '24 slowa',
    'фраз* восстановления', 'слова восстановления', 'доступ', 'входить', 'заходим', 'двенадцать слов', '12 слов', '24 слова',
    'on iki kelime', '12 kelime', '24 kelime', 'سر', 'السر', 'واي فاي', 'الواي فاي', 'تسجيل الدخول', 'चाबी', 'टोकन',
    'सीक्रेट', 'गुप्त', 'वाईफाई', 'वाई फाई', 'लॉगिन', 'रिकवरी शब्द', 'रिकवरी फ्रेज़', 'सीड', 'एडमिन पैनल', 'पैनल',
    'बारह शब्द', 'chabi', 'kunji', 'barah shabd', '12単語', '12단어', '12个单词',
)
NAMES_BEGINNINGS = (
    'password', 'passphrase', 'passcode', 'credential', 'unlock', 'licen', 'encrypt', 'decrypt', 'unseal', 'authenticat',
    'wlan', 'anmeld', 'einlogg', 'loggt', 'adminpanel', 'signier', 'gastnetz', 'eingelogg', 'chiffr', 'déchiffr', 'dechiffr',
    'authentifi', 'contraseña', 'contrasena', 'credencial', 'cifrad', 'descifr', 'autentic', 'loguea', 'credenzial',
    'pannello', 'cifrat', 'decifr', 'painel', 'criptograf', 'wifi', 'inlog', 'adminpaneel', 'ondertekend', 'authenti',
    'gastnetwerk', 'klucz', 'token', 'hasł', 'hasl', 'sekret', 'poświadcze', 'poswiadcze', 'logowani', 'loguj', 'panel',
    'podpisan', 'szyfruj', 'zaszyfrow', 'odszyfrow', 'uwierzyteln', 'router', 'modem', 'portfel', 'ключ', 'токен', 'парол',
    'секрет', 'учётн', 'учетн', 'логин', 'вайфай', 'вай фай', 'сид фраз', 'мнемоник', 'админк', 'подписан', 'подписыва',
    'зашифр', 'шифру', 'расшифр', 'аутентифи', 'гостев', 'роутер', 'модем', 'кошел', 'anahtar', 'jeton', 'şifre', 'sifre',
    'parola', 'gizli', 'sır', 'sir', 'kimlik bilgi', 'giriş bilgi', 'giris bilgi', 'wi fi', 'kablosuz', 'kurtarma kelime',
    'kurtarma ifade', 'imzala', 'şifreli', 'sifreli', 'şifrele', 'sifrele', 'kimlik doğrula', 'kimlik dogrula', 'misafir ağ',
    'misafir ag', 'yönlendirici', 'yonlendirici', 'cüzdan', 'cuzdan', 'पासवर्ड', 'साइन', 'एन्क्रिप्ट', 'राउटर', 'मॉडेम',
    'वॉलेट',
)
NAMES_ENDS = (
    'geheim', 'رمز الوصول', 'wifi',
)
NAMES_PARTS = (
    'schlüssel', 'schlussel', 'token', 'passwort', 'passwörter', 'passworter', 'kennwort', 'passphrase', 'geheimnis',
    'zugangsdaten', 'anmeldedaten', 'wiederherstellungsw', 'seed', 'lizenzschlüssel', 'lizenzschlussel', 'verschlüssel',
    'verschlussel', 'entschlüssel', 'entschlussel', 'authentifizier', 'wallet', 'sleutel', 'wachtwoord', 'wachtzin',
    'inloggegevens', 'herstelwoorden', 'herstelzin', 'versleutel', 'ontsleutel', 'مفتاح', 'مفاتيح', 'توكن', 'كلمة المرور',
    'كلمة السر', 'كلمات المرور', 'الباسورد', 'باسورد', 'أسرار', 'عبارة الاسترداد', 'كلمات الاسترداد', 'بيانات الدخول',
    'لوحة الإدارة', 'يوقع', 'موقع ب', 'مشفر', 'تشفير', 'الراوتر', 'المودم', 'اثنتا عشرة كلمة', 'المحفظة', 'ندخل', 'कुंजी',
)
NAMES_SIGNS = (
    '鍵', 'キー', 'トークン', 'パスワード', 'パスフレーズ', 'シークレット', '秘密', '認証情報', '無線lan', 'リカバリーフレーズ', 'シードフレーズ', '復元フレーズ', 'ログイン', '管理画面',
    '署名', '暗号化', '復号', 'ゲスト', 'ルーター', 'モデム', '十二の単語', 'ウォレット', '키', '토큰', '비밀번호', '비번', '암호', '시크릿', '비밀', '인증 정보', '와이파이',
    '복구 문구', '시드 문구', '니모닉', '로그인', '관리자', '서명', '암호화', '복호화', '게스트', '공유기', '모뎀', '열두 단어', '지갑', '密钥', '密鑰', '秘钥', '令牌',
    '密码', '密碼', '口令', '机密', '凭证', '憑證', '无线', '助记词', '助記詞', '恢复短语', '登录', '登錄', '密匙', '私钥', '后台', '签名', '加密', '解密', '访客网络',
    '路由器', '光猫', '十二个单词', '钱包',
)
CODES = (
    'pin', 'pins', 'pincode', 'cvv', 'cvc', 'door code', 'gate code', 'entry code', 'access code', 'security code',
    'alarm code', 'lock code', 'code for the door', 'code of the door', 'code to the door', 'code for the safe',
    'code of the safe', 'combination', 'keypad', 'otp', 'verification code', 'card number', 'iban', 'voicemail', 'code',
    'digicode', 'code pin', 'cryptogramme', 'code de la carte', 'code d accès', 'code d acces', 'code secret', 'coffre',
    'combinaison', 'numéro de carte', 'numero de carte', 'código', 'codigo', 'código de acceso', 'codigo de acceso',
    'código secreto', 'codigo secreto', 'combinación', 'combinacion', 'caja fuerte', 'número de tarjeta',
    'numero de tarjeta', 'codice', 'codice segreto', 'codice d accesso', 'combinazione', 'cassaforte', 'numero di carta',
    'código de acesso', 'codigo de acesso', 'combinação', 'combinacao', 'cofre', 'número do cartão', 'numero do cartao',
    'pin u', 'pinu', 'pinem', 'kod', 'kodu', 'kodem', 'numer karty', 'пин', 'код', 'кода', 'кодом', 'номер карты', 'pin i',
    'pini', 'kodunu', 'kasanın', 'kasanin', 'رقم سري', 'पिन', 'कोड', 'कार्ड नंबर', 'अनलॉक', 'tijori',
)
CODES_BEGINNINGS = (
    'passcode', 'unlock', 'déverrouill', 'deverrouill', 'desbloque', 'sblocc', 'sejf', 'szyfr', 'odblok', 'пин код',
    'пинкод', 'сейф', 'домофон', 'разблок', 'şifre', 'sifre', 'kasa', 'kart numara', 'kilid', 'तिजोरी',
)
CODES_ENDS = (
    'pincode', 'kombination',
)
CODES_PARTS = (
    'zugangscode', 'türcode', 'turcode', 'geheimzahl', 'zahlenkombination', 'kartennummer', 'entsperr', 'tresorcode',
    'sicherheitscode', 'pincode', 'toegangscode', 'deurcode', 'alarmcode', 'kluis', 'combinatie', 'kaartnummer',
    'ontgrendel', 'الرقم السري', 'رمز', 'كود', 'الخزنة', 'رقم البطاقة', 'فتح القفل',
)
CODES_SIGNS = (
    '暗証番号', '暗証', 'パスワード', 'パスコード', '解錠', '金庫', 'カード番号', '認証コード', '비밀번호', '비번', '핀', '코드', '금고', '카드 번호', '잠금', '密码', '密碼',
    '口令', '门禁', '验证码', '驗證碼', '保险箱', '卡号', '代码', '解锁',
)
OPENS = (
    'safe', 'lock', 'locks', 'bike lock', 'elevator', 'lift', 'sim', 'sim card', 'punch in', 'dial', 'key safe', 'tablet',
    'laptop', 'unlocks', 'shed', 'türe', 'ture', 'tor', 'sim karte', 'cadenas', 'carte sim', 'entrée', 'entree', 'taper',
    'téléphone se', 'telephone se', 'entrada', 'teclear', 'móvil', 'movil', 'cellulare', 'cantina', 'digitar', 'celular',
    'telemóvel', 'telemovel', 'deur', 'poort', 'simkaart', 'winda', 'windy', 'замок', 'замка', 'сим', 'बैरियर', 'गेट',
    'इंटरकॉम', 'अलार्म', 'ताला', 'ताले', 'गैराज', 'लिफ्ट', 'लॉकर', 'barrier', 'gate', 'darwaza', 'intercom', 'alarm',
    'taala', 'garage', 'locker',
)
OPENS_BEGINNINGS = (
    'gate', 'door', 'intercom', 'alarm', 'vault', 'locker', 'padlock', 'garage', 'keypad', 'buzzer', 'barrier', 'turnstile',
    'cabinet', 'suitcase', 'mailbox', 'entrance', 'lockbox', 'cellar', 'haustür', 'haustur', 'hoftor', 'garagentor',
    'fahrradschloss', 'porte', 'portail', 'interphone', 'alarme', 'coffre', 'ascenseur', 'barrière', 'barriere', 'casier',
    'portillon', 'puerta', 'portón', 'porton', 'portero', 'interfono', 'telefonillo', 'alarma', 'candado', 'garaje',
    'ascensor', 'barrera', 'taquilla', 'buzón', 'buzon', 'trastero', 'cancello', 'portone', 'citofono', 'allarme',
    'cassaforte', 'lucchetto', 'ascensore', 'sbarra', 'armadietto', 'ingresso', 'digita', 'portão', 'portao', 'portaria',
    'interfone', 'cofre', 'cadeado', 'garagem', 'elevador', 'cancela', 'armário', 'armario', 'voordeur', 'achterdeur',
    'garagepoort', 'fietsslot', 'hangslot', 'bram', 'drzwi', 'domofon', 'kłódk', 'klodk', 'garaż', 'garaz', 'szlaban',
    'szafk', 'furtk', 'wejści', 'wejsci', 'telefon odblok', 'piwnic', 'ворот', 'двер', 'сигнализац', 'гараж', 'лифт', 'симк',
    'шлагбаум', 'шкафчик', 'калитк', 'подъезд', 'вход', 'bariyer', 'kapı', 'kapi', 'diyafon', 'kilit', 'garaj', 'asansör',
    'asansor', 'dolap', 'giriş', 'giris', 'दरवाज़', 'दरवाज',
)
OPENS_ENDS = (
    'tür', 'tur', 'schloss', 'eintippen', 'lift', 'باب',
)
OPENS_PARTS = (
    'gegensprechanlage', 'alarmanlage', 'tresor', 'garage', 'aufzug', 'schranke', 'spind', 'schließfach', 'briefkasten',
    'handy', 'eingang', 'keller', 'schlüsseltresor', 'schlusseltresor', 'intercom', 'alarm', 'slagboom', 'kluisje', 'ingang',
    'telefoon ontgrendel', 'schuur', 'حاجز', 'الحاجز', 'البوابة', 'بوابة', 'الباب', 'الانتركم', 'انتركم', 'الإنذار', 'القفل',
    'قفل', 'المرآب', 'المصعد', 'المدخل',
)
OPENS_SIGNS = (
    'ゲート', '遮断機', '門', 'ドア', '玄関', 'インターホン', '警報', '錠', 'ガレージ', 'エレベーター', 'ロッカー', '入口', 'オートロック', '차단기', '게이트', '대문', '현관',
    '문은', '인터폰', '경보', '자물쇠', '차고', '엘리베이터', '유심', '사물함', '출입문', '눌러', '누르면', '道闸', '闸', '大门', '对讲', '警报', '报警器', '保险柜', '锁',
    '车库', '电梯', '储物柜', '门口',
)
HARMLESS = (
    'manager', 'managers', 'sha', 'sha1', 'sha256', 'sha512', 'md5', 'md', 'rev', 'ref', 'blobs', 'digest', 'tag', 'tags',
    'tree', 'blob', 'mod', 'head', 'git', 'checkout', 'fixed', 'broke', 'broken', 'introduced', 'landed', 'span', 'spans',
    'correlation', 'order', 'orders', 'pr', 'bug', 'build', 'builds', 'id', 'ids', 'ulid', 'files', 'sku', 'etag', 'cache',
    'session id', 'job', 'jobs', 'run', 'runs', 'node', 'nodes', 'pod', 'pods', 'account number', 'file', 'dummy',
    'public key', 'somme de contrôle', 'somme de controle', 'empreinte', 'identifiant', 'numéro de série', 'numero de serie',
    'somme', 'suma de verificación', 'suma de verificacion', 'huella', 'número de serie', 'suma', 'somma di controllo',
    'impronta', 'fattura', 'fatture', 'ordine', 'ordini', 'ticket', 'identificativo', 'numero di serie', 'versione',
    'articolo', 'revisione', 'somma', 'soma de verificação', 'soma de verificacao', 'nota fiscal', 'requisição',
    'requisicao', 'número de série', 'versão', 'versao', 'revisão', 'revisao', 'soma', 'revisie', 'suma kontrolna',
    'sumy kontrolnej', 'numer seryjny', 'счёт', 'счета', 'счет', 'kimliği', 'kimligi', 'seri', 'चालान', 'बिल', 'ऑर्डर',
    'टिकट', 'अनुरोध', 'आईडी', 'संस्करण', 'bill', 'chalan', 'version', 'wala order',
)
HARMLESS_BEGINNINGS = (
    'commit', 'hash', 'checksum', 'digest', 'fingerprint', 'revision', 'branch', 'object', 'merge', 'rebase', 'cherry',
    'revert', 'bisect', 'image', 'layer', 'container', 'trace', 'request', 'invoice', 'ticket', 'issue', 'version',
    'release', 'uuid', 'guid', 'product', 'model', 'serial', 'migration', 'snapshot', 'pipeline', 'deployment', 'instance',
    'cluster', 'bucket', 'queue', 'artifact', 'package', 'chip', 'example', 'placeholder', 'objet', 'facture', 'commande',
    'requête', 'requete', 'article', 'révision', 'objeto', 'factura', 'pedido', 'tique', 'petición', 'peticion', 'solicitud',
    'identificador', 'versión', 'artículo', 'articulo', 'revisión', 'oggett', 'richiesta', 'fatura', 'obiekt', 'faktur',
    'zamówieni', 'zamowieni', 'zgłoszeni', 'zgloszeni', 'żądani', 'zadani', 'identyfikator', 'wersj', 'rewizj', 'объект',
    'коммит', 'хеш', 'хэш', 'контрольн', 'заказ', 'накладн', 'заявк', 'тикет', 'запрос', 'идентификатор', 'серийн', 'верси',
    'ревизи', 'сборк', 'nesne', 'sağlama', 'saglama', 'özet', 'ozet', 'sipariş', 'siparis', 'bilet', 'istek', 'isteği',
    'istegi', 'sürüm', 'surum', 'revizyon',
)
HARMLESS_ENDS = (
    'nummer des',
)
HARMLESS_PARTS = (
    'objekt', 'prüfsumme', 'prufsumme', 'rechnung', 'bestellung', 'auftrag', 'vorgang', 'kundennummer', 'artikel',
    'seriennummer', 'kennung', 'anfrage', 'fassung', 'revision', 'object', 'controlegetal', 'factuur', 'bestelling', 'order',
    'ticket', 'verzoek', 'kenmerk', 'serienummer', 'versie', 'commit', 'فاتورة', 'الفاتورة', 'طلب', 'تذكرة', 'معرف', 'إصدار',
    'कमिट',
)
HARMLESS_SIGNS = (
    'コミット', 'ハッシュ', 'チェックサム', 'リビジョン', '請求書', '注文', 'チケット', 'リクエスト', 'トレース', '識別子', 'シリアル', 'バージョン', 'ビルド', '커밋', '해시',
    '체크섬', '리비전', '청구서', '주문', '티켓', '요청', '추적', '행', '식별자', '버전', '빌드', '提交', '哈希', '校验和', '校驗', '修订', '发票', '订单', '訂單',
    '工单', '请求', '請求', '追踪', '编号', '標識', '标识', '版本', '构建',
)
NUMBERS = (
    'lots of', 'lot', 'pieces', 'threads', 'pages', 'sheets', 'sectors', 'values', 'blocks', 'messages', 'port', 'ports',
    'time', 'times', 'date', 'dates', 'year', 'years', 'since', 'until', 'number of', 'line', 'lines', 'row', 'rows', 'byte',
    'bytes', 'kb', 'mb', 'gb', 'px', 'ms', 'sec', 'day', 'days', 'usd', 'eur', 'percent', 'users', 'items', 'status', 'exit',
    'http', 'zip', 'postal', 'postcode', 'part', 'room', 'phone', 'extension', 'entries', 'records', 'retries', 'attempts',
    'requests', 'min', 'size', 'over', 'above', 'below', 'under', 'seit', 'bis', 'uhr', 'plz', 'über', 'uber', 'unter',
    'ans', 'depuis', 'téléphone', 'telephone', 'taille', 'statut', 'fila', 'filas', 'hora', 'horas', 'día', 'dia', 'días',
    'dias', 'desde', 'hasta', 'puerto', 'puertos', 'teléfono', 'telefono', 'tamaño', 'tamano', 'estado', 'riga', 'righe',
    'secondi', 'minuti', 'ore', 'giorni', 'anno', 'anni', 'dal', 'fino', 'errore', 'errori', 'cliente', 'porta', 'voci',
    'postale', 'dimensione', 'data', 'stato', 'linha', 'linhas', 'segundos', 'minutos', 'ano', 'anos', 'até', 'ate', 'erro',
    'erros', 'registros', 'telefone', 'tamanho', 'regel', 'regels', 'rijen', 'seconden', 'minuten', 'uur', 'uren', 'dagen',
    'jaar', 'sinds', 'tot', 'poort', 'tekens', 'dni', 'rok', 'roku', 'lat', 'od', 'do roku', 'błąd', 'blad', 'błędu',
    'bledu', 'portu', 'porcie', 'portem', 'pocztowy', 'rozmiar', 'daty', 'datą', 'dnia', 'znaków', 'znakow', 'час', 'часов',
    'часа', 'дней', 'год', 'года', 'году', 'с года', 'рублей', 'beri', 'portta', 'portunda', 'posta', 'منذ', 'حتى', 'सेकंड',
    'मिनट', 'घंटे', 'दिन', 'साल', 'वर्ष', 'से पहले', 'तक', 'त्रुटि', 'ग्राहक', 'पोर्ट', 'रिकॉर्ड', 'फ़ोन', 'फोन', 'आकार',
    'तारीख', 'बाइट', 'second', 'minute', 'ghante', 'din', 'saal', 'tak', 'error', 'customer', 'number ka',
)
NUMBERS_BEGINNINGS = (
    'timeout', 'second', 'minute', 'hour', 'euro', 'dollar', 'char', 'customer', 'error', 'colour', 'color', 'limit', 'max',
    'ligne', 'seconde', 'heure', 'jour', 'année', 'annee', 'jusqu', 'erreur', 'client', 'octet', 'línea', 'linea', 'segundo',
    'minuto', 'año', 'ano', 'cliente', 'registro', 'fecha', 'wiersz', 'lini', 'sekund', 'minut', 'godzin', 'klient',
    'rekord', 'telefon', 'строк', 'секунд', 'минут', 'ошибк', 'клиент', 'порт', 'запис', 'индекс', 'телефон', 'размер',
    'дат', 'байт', 'символ', 'satır', 'satir', 'saniye', 'dakika', 'saat', 'gün', 'gun', 'yıl', 'yil', 'hata', 'müşteri',
    'musteri', 'kayıt', 'kayit', 'boyut', 'tarih', 'bayt', 'karakter', 'पंक्ति', 'लाइन',
)
NUMBERS_ENDS = (
    'tage', 'صف', 'صفوف',
)
NUMBERS_PARTS = (
    'zeile', 'sekunde', 'minute', 'stunde', 'jahr', 'fehler', 'datum', 'einträge', 'eintrage', 'stück', 'stuck', 'zeichen',
    'postleitzahl', 'telefon', 'größe', 'große', 'fout', 'klant', 'telefoon', 'سطر', 'أسطر', 'ثانية', 'ثوان', 'دقيقة',
    'دقائق', 'ساعة', 'يوم', 'أيام', 'سنة', 'عام', 'خطأ', 'العميل', 'منفذ', 'المنفذ', 'سجل', 'هاتف', 'حجم', 'تاريخ',
)
NUMBERS_SIGNS = (
    '行', '秒', '分', '時間', '日', '年', '以来', 'エラー', '顧客', 'ポート', '件', '電話', 'サイズ', 'バイト', '文字', '円', '줄', '초', '분', '시간', '일',
    '년', '이후', '오류', '에러', '고객', '포트', '건', '전화', '크기', '바이트', '글자', '원', '分钟', '小时', '天', '错误', '錯誤', '客户', '端口', '条', '电话',
    '大小', '字节', '字符', '元',
)
COMMON = frozenset("""
    the a an of and to is be in it for on are as or not with by from at we i was der die das und ist zu den mit von für fur auf
    ein eine nicht wir es im le la les de des du et est un une à en que pour dans avec ne pas ce el los las del y una para con
    no se por al su il lo gli di e è che per non si da o os do é um uma em com não nao na het een van te dat op voor met niet
    zijn aan w z nie się sie jest że ze jak po dla za od są sa przez и в не на с что по это как для из за от мы к у о но ve bir
    bu için icin ile çok cok var mi ama daha gibi في من على إلى و أن هذا لا ما مع هو هي عن كل का की के है में से और को पर यह
    नहीं हम ने जो ka ki ke hai mein aur ko par ye nahi hum jo
""".split())
