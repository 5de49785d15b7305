"""Words of the language files: by what word in its sentence a value is a secret, and by what none. Made by patterns/compile_words.py; mend the files in patterns/."""

# fmt: off
from __future__ import annotations

NAMES = (
    'key', 'keys', 'apikey', 'token', 'tokens', 'secret', 'secrets', 'passwd', 'pwd', 'pw', 'creds', 'login', 'logs in',
    'log in', 'logged in', 'signs in', 'sign in', 'signed in', 'signing value', 'bearer', 'wifi', 'wi fi', 'wlan',
    'wireless', 'recovery words', 'recovery phrase', 'backup phrase', 'backup words', 'seed words', 'seed phrase', 'seed',
    'mnemonic', 'admin account', 'sandbox account', 'psk', '2fa', 'zugang', 'clé', 'cle', 'clés', 'cles', 'clef', 'clefs',
    'jeton', 'jetons', 'mot de passe', 'mots de passe', 'mdp', 'identifiants', 'phrase de récupération',
    'phrase de recuperation', 'mots de récupération', 'mots de recuperation', 'mots de secours', 'connecte', 'connexion',
    'phrase secrète', 'phrase secrete', 'clave', 'claves', 'llave', 'secreto', 'secretos', 'palabras de recuperación',
    'palabras de recuperacion', 'frase de recuperación', 'frase de recuperacion', 'frase semilla', 'palabras semilla',
    'semilla', 'acceso', 'iniciar sesión', 'iniciar sesion', 'chiave', 'chiavi', 'password', 'parola d ordine', 'segreto',
    'segreti', 'parole di recupero', 'frase di recupero', 'frase seed', 'accesso', 'accede', 'entra con', 'chave', 'chaves',
    'senha', 'senhas', 'palavra passe', 'segredo', 'segredos', 'credenciais', 'palavras de recuperação',
    'palavras de recuperacao', 'frase de recuperação', 'frase de recuperacao', 'frase semente', 'acesso', 'entra se com',
    'geheimen', 'logt in', 'toegang', 'haseł', 'hasel', 'słowa odzyskiwania', 'slowa odzyskiwania', 'fraza odzyskiwania',
    'logujemy', 'dane logowania', 'фраз* восстановления', 'слова восстановления', 'доступ', 'входить', 'заходим', 'سر',
    'السر', 'واي فاي', 'الواي فاي', 'تسجيل الدخول', 'चाबी', 'टोकन', 'सीक्रेट', 'गुप्त', 'वाईफाई', 'वाई फाई', 'लॉगिन',
    'रिकवरी शब्द', 'रिकवरी फ्रेज़', 'सीड', 'chabi', 'kunji',
)
NAMES_BEGINNINGS = (
    'password', 'passphrase', 'passcode', 'credential', 'unlock', 'wlan', 'anmeld', 'einlogg', 'loggt', 'contraseña',
    'contrasena', 'credencial', 'credenzial', 'wifi', 'inlog', 'klucz', 'token', 'hasł', 'hasl', 'sekret', 'poświadcze',
    'poswiadcze', 'logowani', 'loguj', 'ключ', 'токен', 'парол', 'секрет', 'учётн', 'учетн', 'логин', 'вайфай', 'вай фай',
    'сид фраз', 'мнемоник', 'anahtar', 'jeton', 'şifre', 'sifre', 'parola', 'gizli', 'sır', 'sir', 'kimlik bilgi',
    'giriş bilgi', 'giris bilgi', 'wi fi', 'kablosuz', 'kurtarma kelime', 'kurtarma ifade', 'पासवर्ड',
)
NAMES_ENDS = (
    'geheim', 'رمز الوصول', 'wifi',
)
NAMES_PARTS = (
    'schlüssel', 'schlussel', 'token', 'passwort', 'passwörter', 'passworter', 'kennwort', 'passphrase', 'geheimnis',
    'zugangsdaten', 'anmeldedaten', 'wiederherstellungsw', 'seed', 'lizenzschlüssel', 'lizenzschlussel', 'sleutel',
    'wachtwoord', 'wachtzin', 'inloggegevens', 'herstelwoorden', 'herstelzin', 'مفتاح', 'مفاتيح', 'توكن', 'كلمة المرور',
    'كلمة السر', 'كلمات المرور', 'الباسورد', 'باسورد', 'أسرار', 'عبارة الاسترداد', 'كلمات الاسترداد', 'بيانات الدخول',
    'कुंजी',
)
NAMES_SIGNS = (
    '鍵', 'キー', 'トークン', 'パスワード', 'パスフレーズ', 'シークレット', '秘密', '認証情報', '無線lan', 'リカバリーフレーズ', 'シードフレーズ', '復元フレーズ', 'ログイン', '키',
    '토큰', '비밀번호', '비번', '암호', '시크릿', '비밀', '인증 정보', '와이파이', '복구 문구', '시드 문구', '니모닉', '로그인', '密钥', '密鑰', '秘钥', '令牌', '密码',
    '密碼', '口令', '机密', '凭证', '憑證', '无线', '助记词', '助記詞', '恢复短语', '登录', '登錄', '密匙', '私钥',
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
HARMLESS = (
    'md5', 'rev', 'ref', 'tag', 'tags', 'tree', 'blob', 'head', 'git', 'checkout', 'fixed', 'broke', 'broken', 'introduced',
    'landed', 'span', 'spans', 'correlation', 'order', 'orders', 'pr', 'bug', 'port', 'ports', 'time', 'times', 'build',
    'builds', 'date', 'dates', 'year', 'years', 'since', 'until', 'id', 'ids', 'ulid', 'number of', 'line', 'lines', 'row',
    'rows', 'byte', 'bytes', 'kb', 'mb', 'gb', 'px', 'ms', 'sec', 'day', 'days', 'usd', 'eur', 'percent', 'users', 'items',
    'files', 'status', 'exit', 'http', 'zip', 'postal', 'postcode', 'sku', 'part', 'room', 'phone', 'extension', 'etag',
    'cache', 'session id', 'job', 'jobs', 'run', 'runs', 'node', 'nodes', 'pod', 'pods', 'account number', 'file', 'manager',
    'managers', 'dummy', 'public key', 'entries', 'records', 'retries', 'attempts', 'requests', 'min', 'size', 'over',
    'above', 'below', 'under', 'seit', 'bis', 'uhr', 'plz', 'über', 'uber', 'unter', 'somme de contrôle',
    'somme de controle', 'empreinte', 'ans', 'depuis', 'identifiant', 'numéro de série', 'numero de serie', 'téléphone',
    'telephone', 'taille', 'statut', 'suma de verificación', 'suma de verificacion', 'huella', 'fila', 'filas', 'hora',
    'horas', 'día', 'dia', 'días', 'dias', 'desde', 'hasta', 'número de serie', 'teléfono', 'telefono', 'tamaño', 'tamano',
    'estado', 'somma di controllo', 'impronta', 'fattura', 'fatture', 'ordine', 'ordini', 'ticket', 'riga', 'righe',
    'secondi', 'minuti', 'ore', 'giorni', 'anno', 'anni', 'dal', 'fino', 'errore', 'errori', 'identificativo',
    'numero di serie', 'cliente', 'versione', 'porta', 'voci', 'postale', 'articolo', 'dimensione', 'revisione', 'data',
    'stato', 'soma de verificação', 'soma de verificacao', 'nota fiscal', 'requisição', 'requisicao', 'linha', 'linhas',
    'segundos', 'minutos', 'ano', 'anos', 'até', 'ate', 'erro', 'erros', 'número de série', 'versão', 'versao', 'registros',
    'telefone', 'tamanho', 'revisão', 'revisao', 'regel', 'regels', 'rijen', 'seconden', 'minuten', 'uur', 'uren', 'dagen',
    'jaar', 'sinds', 'tot', 'poort', 'tekens', 'revisie', 'suma kontrolna', 'sumy kontrolnej', 'dni', 'rok', 'roku', 'lat',
    'od', 'do roku', 'błąd', 'blad', 'błędu', 'bledu', 'numer seryjny', 'pocztowy', 'rozmiar', 'daty', 'datą', 'dnia',
    'znaków', 'znakow', 'счёт', 'счета', 'счет', 'час', 'часов', 'часа', 'дней', 'год', 'года', 'году', 'с года', 'рублей',
    'beri', 'kimliği', 'kimligi', 'seri', 'posta', 'منذ', 'حتى', 'चालान', 'बिल', 'ऑर्डर', 'टिकट', 'अनुरोध', 'सेकंड', 'मिनट',
    'घंटे', 'दिन', 'साल', 'वर्ष', 'से पहले', 'तक', 'त्रुटि', 'आईडी', 'ग्राहक', 'संस्करण', 'पोर्ट', 'रिकॉर्ड', 'फ़ोन', 'फोन',
    'आकार', 'तारीख', 'बाइट', 'bill', 'chalan', 'second', 'minute', 'ghante', 'din', 'saal', 'tak', 'error', 'version',
    'wala order', 'customer', 'number ka',
)
HARMLESS_BEGINNINGS = (
    'commit', 'sha', 'hash', 'checksum', 'digest', 'fingerprint', 'revision', 'branch', 'merge', 'rebase', 'cherry',
    'revert', 'bisect', 'image', 'layer', 'container', 'trace', 'request', 'invoice', 'ticket', 'issue', 'timeout',
    'version', 'release', 'uuid', 'guid', 'second', 'minute', 'hour', 'euro', 'dollar', 'char', 'customer', 'error',
    'product', 'model', 'serial', 'migration', 'snapshot', 'pipeline', 'deployment', 'instance', 'cluster', 'bucket',
    'queue', 'artifact', 'package', 'chip', 'colour', 'color', 'example', 'placeholder', 'limit', 'max', 'facture',
    'commande', 'requête', 'requete', 'ligne', 'seconde', 'heure', 'jour', 'année', 'annee', 'jusqu', 'erreur', 'client',
    'octet', 'article', 'révision', 'factura', 'pedido', 'tique', 'petición', 'peticion', 'solicitud', 'línea', 'linea',
    'segundo', 'minuto', 'año', 'ano', 'identificador', 'cliente', 'versión', 'puerto', 'registro', 'artículo', 'articulo',
    'revisión', 'fecha', 'richiesta', 'fatura', 'faktur', 'zamówieni', 'zamowieni', 'zgłoszeni', 'zgloszeni', 'żądani',
    'zadani', 'wiersz', 'lini', 'sekund', 'minut', 'godzin', 'identyfikator', 'klient', 'wersj', 'port', 'rekord', 'telefon',
    'rewizj', 'коммит', 'хеш', 'хэш', 'контрольн', 'заказ', 'накладн', 'заявк', 'тикет', 'запрос', 'строк', 'секунд',
    'минут', 'ошибк', 'идентификатор', 'серийн', 'клиент', 'верси', 'порт', 'запис', 'индекс', 'телефон', 'размер', 'ревизи',
    'дат', 'байт', 'символ', 'сборк', 'sağlama', 'saglama', 'özet', 'ozet', 'sipariş', 'siparis', 'bilet', 'istek', 'isteği',
    'istegi', 'satır', 'satir', 'saniye', 'dakika', 'saat', 'gün', 'gun', 'yıl', 'yil', 'hata', 'müşteri', 'musteri',
    'sürüm', 'surum', 'kayıt', 'kayit', 'boyut', 'revizyon', 'tarih', 'bayt', 'karakter', 'पंक्ति', 'लाइन',
)
HARMLESS_ENDS = (
    'tage', 'nummer des', 'صف', 'صفوف',
)
HARMLESS_PARTS = (
    'prüfsumme', 'prufsumme', 'rechnung', 'bestellung', 'auftrag', 'vorgang', 'kundennummer', 'artikel', 'seriennummer',
    'zeile', 'sekunde', 'minute', 'stunde', 'jahr', 'fehler', 'kennung', 'anfrage', 'datum', 'einträge', 'eintrage', 'stück',
    'stuck', 'zeichen', 'fassung', 'revision', 'postleitzahl', 'telefon', 'größe', 'große', 'controlegetal', 'factuur',
    'bestelling', 'order', 'ticket', 'verzoek', 'fout', 'kenmerk', 'serienummer', 'klant', 'versie', 'telefoon', 'commit',
    'فاتورة', 'الفاتورة', 'طلب', 'تذكرة', 'سطر', 'أسطر', 'ثانية', 'ثوان', 'دقيقة', 'دقائق', 'ساعة', 'يوم', 'أيام', 'سنة',
    'عام', 'خطأ', 'معرف', 'العميل', 'إصدار', 'منفذ', 'المنفذ', 'سجل', 'هاتف', 'حجم', 'تاريخ', 'कमिट',
)
HARMLESS_SIGNS = (
    'コミット', 'ハッシュ', 'チェックサム', 'リビジョン', '請求書', '注文', 'チケット', 'リクエスト', 'トレース', '行', '秒', '分', '時間', '日', '年', '以来', 'エラー',
    '識別子', 'シリアル', '顧客', 'バージョン', 'ポート', '件', '電話', 'サイズ', 'バイト', '文字', 'ビルド', '円', '커밋', '해시', '체크섬', '리비전', '청구서', '주문',
    '티켓', '요청', '추적', '행', '줄', '초', '분', '시간', '일', '년', '이후', '오류', '에러', '식별자', '고객', '버전', '포트', '건', '전화', '크기', '바이트',
    '글자', '빌드', '원', '提交', '哈希', '校验和', '校驗', '修订', '发票', '订单', '訂單', '工单', '请求', '請求', '追踪', '分钟', '小时', '天', '错误', '錯誤',
    '编号', '標識', '标识', '客户', '版本', '端口', '条', '电话', '大小', '字节', '字符', '构建', '元',
)
COMMON = frozenset("""
    the a an of and to is be in it for on are as or not with by from at we i was der die das und ist zu den mit von für fur auf
    ein eine nicht wir es im le la les de des du et est un une à en que pour dans avec ne pas ce el los las del y una para con
    no se por al su il lo gli di e è che per non si da o os do é um uma em com não nao na het een van te dat op voor met niet
    zijn aan w z nie się sie jest że ze jak po dla za od są sa przez и в не на с что по это как для из за от мы к у о но ve bir
    bu için icin ile çok cok var mi ama daha gibi في من على إلى و أن هذا لا ما مع هو هي عن كل का की के है में से और को पर यह
    नहीं हम ने जो ka ki ke hai mein aur ko par ye nahi hum jo
""".split())
