// Translates a diagnosis into Russian. Code, paths, hosts and names of secrets are not translated.
import type { Diagnosis } from './diagnosis.ts'

/** Sentences, and parts of sentences. `$1` and `$2` are values, such as a time or a path. */
const PHRASES: readonly (readonly [english: string | RegExp, russian: string])[] = [
  // The signature as it was sent.
  ['The signature matches and its time is within the tolerance.', 'Подпись верна, её время в пределах допуска.'],
  ['The v1 signature matches.', 'Подпись v1 верна.'],
  ['It has no replay protection, so prefer v2.', 'Она не защищает от повторной отправки, поэтому лучше v2.'],
  ['The signature header is missing.', 'Заголовка подписи нет.'],
  [/The header is malformed: (.+?)\.(?= |$)/, 'Заголовок подписи неверен: $1.'],
  [
    'It must be t=<unix seconds>,v1=<hex>,v2=<hex>, or sha256=<64 lower-case hex digits>.',
    'Его форма: t=<секунды Unix>,v1=<hex>,v2=<hex> или sha256=<64 цифры hex в нижнем регистре>.',
  ],
  [
    /Probably the secret is wrong or the body was changed: the signature was not made from these bytes, or a common variant of them, with the secret( or with .+? of this sandbox)?\./,
    'Вероятно, секрет неверен или тело изменили: ни эти байты, ни их типичные варианты не подписаны известными секретами.',
  ],
  [
    'Use the secret of the endpoint that received the webhook, and the raw bytes as received.',
    'Возьмите секрет эндпоинта, который получил вебхук, и исходные байты тела.',
  ],
  ['The header has v1= but no v2=.', 'В заголовке есть v1=, но нет v2=.'],
  ['v1= matches the body, but does not prove the time.', 'v1= соответствует телу, но не подтверждает время.'],
  ['v1= does not match the body either.', 'v1= тоже не соответствует телу.'],
  ['v2= signs the body without the timestamp.', 'v2= подписывает тело без времени.'],
  [
    'v1= matches and v2= does not, so body and secret are correct but t= was changed after signing.',
    'v1= верна, а v2= нет: тело и секрет правильные, но t= изменили после подписи.',
  ],
  [
    "The signature matches the event's stored bytes, so this body was changed after signing.",
    'Подпись соответствует сохранённым байтам события: тело изменили после подписи.',
  ],
  ['Reject the webhook.', 'Отклоните вебхук.'],
  ['The time is in milliseconds instead of seconds.', 'Время указано в миллисекундах, а не в секундах.'],
  [
    /The webhook was signed (.+?) ago, more than the tolerance of (.+?)\. It is a replay, or this clock is ahead\./,
    'Вебхук подписан $1 назад, допустимо $2. Это повторная отправка, или часы спешат.',
  ],
  [
    /The webhook was signed (.+?) ahead of this clock, more than the tolerance of (.+?)\. Synchronize the clock \(NTP\)\./,
    'Вебхук подписан на $1 вперёд этих часов, допустимо $2. Синхронизируйте часы (NTP).',
  ],
  [/: the body was signed with the secret of shop (.+?)\.(?= |$)/, ': тело подписано секретом магазина «$1».'],
  [/: the body was signed with the secret of endpoint (.+?)\.(?= |$)/, ': тело подписано секретом эндпоинта $1.'],
  ['The signer used the wrong kind of secret', 'Подписано секретом другого вида'],
  ['The given secret is of the wrong kind', 'Это секрет другого вида'],
  ['The secret was rotated after signing', 'Секрет сменили после подписи'],
  ['The given secret is from before a rotation', 'Этот секрет уже сменили'],
  ['The given secret is a different one', 'Это другой секрет'],
  ['Replay the event to get a new signature.', 'Повторите событие, чтобы получить новую подпись.'],
  ['Verify with the new secret.', 'Проверяйте подпись новым секретом.'],
  ['The body was parsed and serialized again.', 'Тело разобрали и сериализовали заново.'],
  [
    'A byte order mark was added at the start of the body, or removed.',
    'Перед телом добавили или убрали метку порядка байтов.',
  ],
  ['The line endings were changed between LF and CRLF.', 'Концы строк заменили: LF на CRLF или наоборот.'],
  ['A newline at the end of the body was added or removed.', 'В конце тела добавили или убрали перевод строки.'],
  [
    'Slashes were escaped as \\/, as PHP does, or unescaped.',
    'Косые черты экранировали как \\/, как делает PHP, или наоборот.',
  ],
  [
    'The body is empty, which a webhook never is, so other code read it first.',
    'Тело пустое, хотя у вебхука оно есть всегда: его уже прочитал другой код.',
  ],
  [
    'This is not the received body, but the result of parsing it or converting it to text.',
    'Это не полученное тело, а результат его разбора или преобразования в текст.',
  ],
  ['The end of the body is missing.', 'Конец тела потерян.'],

  // The next step in the receiver.
  [
    'The sent bytes and signature are valid, so check the receiver.',
    'Тело и подпись отправлены верно: ищите причину у получателя.',
  ],
  ['The receiver is right to reject this webhook.', 'Получатель правильно отклонил этот вебхук.'],
  [/The fault (\S+) changed it\./, 'Его изменил сбой $1.'],
  [
    'Nothing has been accepted at this URL yet, so check the secret first.',
    'По этому URL ещё ничего не принято, поэтому сначала проверьте секрет.',
  ],
  ['Verify the raw bytes, before any JSON parser.', 'Проверяйте подпись по исходным байтам, до разбора JSON.'],
  ['Read it once, as bytes, before any parser.', 'Прочитайте его один раз, как байты, до любого парсера.'],
  [' on this route, above express.json()', ' на этом маршруте, перед express.json()'],
  [
    'Read until the end of the request, and measure lengths in bytes, not in characters.',
    'Читайте запрос до конца и считайте длины в байтах, а не в символах.',
  ],
  ['Verify with the whs_… secret of this endpoint.', 'Проверяйте подпись секретом whs_… этого эндпоинта.'],
  ['Behind `psp listen` it is the secret of the shop:', 'С `psp listen` это секрет магазина:'],
  [
    'thm_… signs requests to the service, whs_… signs webhooks.',
    'thm_… подписывает запросы к сервису, whs_… подписывает вебхуки.',
  ],
  [
    'Prepend the value of t= and a dot to the body, "<t>.<raw body>", and compare with v2=.',
    'Добавьте перед телом значение t= и точку, "<t>.<тело>", и сравните с v2=.',
  ],
  ['Compare v2=, HMAC of "<t>.<raw body>".', 'Сравнивайте v2=: это HMAC от "<t>.<тело>".'],
  [
    'Divide by 1000 and round down, both in t= and in the signed text.',
    'Разделите на 1000 и округлите вниз и в t=, и в подписанном тексте.',
  ],
  [
    /Verify the raw body, (.+?), not its json_encode output\./,
    'Проверяйте исходное тело, $1, а не результат json_encode.',
  ],
  ['Save it as UTF-8 without BOM. Write bytes, not text.', 'Сохраняйте его в UTF-8 без BOM. Пишите байты, а не текст.'],
  [
    'Keep the bytes: open the file in binary mode, and disable autocrlf.',
    'Не меняйте байты: открывайте файл в двоичном режиме и отключите autocrlf.',
  ],
  [
    'Use printf instead of echo, and an editor that adds no newline.',
    'Используйте printf вместо echo и редактор, который не добавляет перевод строки.',
  ],
  ['Exempt webhooks from login and CSRF protection.', 'Отключите для вебхуков вход и защиту от CSRF.'],
  ['They carry a signature instead.', 'Вместо них есть подпись.'],
  ['The receiver has no such path.', 'У получателя нет такого пути.'],
  ['Check the URL.', 'Проверьте URL.'],
  ['Accept POST on this path.', 'Принимайте POST по этому пути.'],
  ['Read the body by its Content-Length.', 'Читайте тело по его Content-Length.'],
  ['This also applies to a proxy in front of the receiver.', 'Это касается и прокси перед получателем.'],
  [
    'Raise the body limit of the body parser and of the proxy. A webhook contains metadata, which has no hard limit.',
    'Увеличьте предел размера тела в парсере и в прокси: размер metadata не ограничен.',
  ],
  ['Accept application/json on this path.', 'Принимайте application/json по этому пути.'],
  ['psp sends webhooks over HTTP/1.1.', 'psp отправляет вебхуки по HTTP/1.1.'],
  ['Accept HTTP/1.1 on this port.', 'Принимайте HTTP/1.1 на этом порту.'],
  ['Exempt webhooks from the rate limit.', 'Не ограничивайте частоту вебхуков.'],
  ['The receiver rejects the time of the signature.', 'Получатель отклоняет время подписи.'],
  [
    "Compare t=, in seconds, with the machine's clock, not the sandbox's, and allow 5 minutes.",
    'Сравнивайте t= в секундах с часами машины, а не песочницы, и допускайте 5 минут.',
  ],
  ['The service does not follow redirects.', 'Сервис не переходит по перенаправлениям.'],
  ['Give the final URL.', 'Укажите конечный URL.'],
  ['This is not an HTTP status.', 'Такого статуса HTTP нет.'],
  ['Respond with a status from 200 to 599.', 'Отвечайте статусом от 200 до 599.'],
  ['The receiver failed with an internal error.', 'У получателя внутренняя ошибка.'],
  ['See its log.', 'Посмотрите его журнал.'],
  ['Only a 2xx counts as delivered.', 'Доставленным считается только ответ 2xx.'],
  ['Is your server running?', 'Ваш сервер запущен?'],
  ['Check the address, the port and the firewall.', 'Проверьте адрес, порт и файрвол.'],
  ['Check the host in the URL.', 'Проверьте хост в URL.'],
  ['Respond first, then do the slow work.', 'Сначала ответьте, потом выполняйте долгую работу.'],
  ['Send a 2xx response at once.', 'Сразу отправляйте ответ 2xx.'],
  ['Respond 2xx.', 'Отвечайте 2xx.'],
  ['Send fewer or shorter headers.', 'Отправляйте меньше заголовков или сократите их.'],
  ['If it supports only HTTP/2, accept HTTP/1.1.', 'Если он поддерживает только HTTP/2, включите и HTTP/1.1.'],
  [
    'For a private certificate authority, set NODE_EXTRA_CA_CERTS before you start psp.',
    'Для своего центра сертификации задайте NODE_EXTRA_CA_CERTS перед запуском psp.',
  ],
  [
    'If the receiver uses plain HTTP, use http:// in the URL.',
    'Если получатель работает без TLS, укажите в URL http://.',
  ],
  ['If the receiver uses TLS, use https:// in the URL.', 'Если получатель работает с TLS, укажите в URL https://.'],
]

const UNITS: readonly (readonly [english: RegExp, russian: string])[] = [
  [/(\d) d\b/g, '$1 сут'],
  [/(\d) h\b/g, '$1 ч'],
  [/(\d) min\b/g, '$1 мин'],
  [/(\d) s\b/g, '$1 с'],
  [/(\d) ms\b/g, '$1 мс'],
]

/** The problems of a malformed header. */
const HEADER_PROBLEMS: readonly (readonly [english: string | RegExp, russian: string])[] = [
  [/it is longer than (\d+) characters/, 'он длиннее $1 символов'],
  ['it contains characters outside printable ASCII', 'в нём есть символы вне печатного ASCII'],
  ['it is empty', 'он пуст'],
  [/is not name=value/, 'не имеет формы name=value'],
  ['is in it twice', 'указан дважды'],
  ['sha256= cannot be combined with other parts', 'sha256= нельзя сочетать с другими частями'],
  ['it has neither sha256= nor t=', 'в нём нет ни sha256=, ни t='],
  ['t= is not a Unix time in digits', 't= не время Unix цифрами'],
  ['it has t= but neither v1= nor v2=', 'в нём есть t=, но нет ни v1=, ни v2='],
  ['must be lower-case hex', 'должно быть в нижнем регистре'],
  ['must be hex digits (is it base64?)', 'должно состоять из цифр hex (это base64?)'],
  [/must be 64 hex digits, not (\d+)/, 'должно содержать 64 цифры hex, а не $1'],
]

export function inRussian({ message, advice, ...rest }: Diagnosis): Diagnosis {
  return { ...rest, message: translate(message), advice: advice && translate(advice) }
}

function translate(text: string): string {
  return [...PHRASES, ...HEADER_PROBLEMS, ...UNITS].reduce(
    (done, [english, russian]) => done.replace(english, russian),
    text,
  )
}
