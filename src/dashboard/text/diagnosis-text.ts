// The diagnosis of an attempt in the language of the user.
import type { DiagnosisView } from '../../client/history-types.ts'

/** A part of a paragraph. `lang` is set if it is not in the language of the page. */
export interface TextPart {
  readonly text: string
  readonly lang?: 'en'
}

/** The causes of an invalid signature in Russian. The details of the server follow. */
const CAUSES: Readonly<Record<string, string>> = {
  tampered: 'Тело или время изменены после подписи.',
  stale: 'Время подписи слишком старое.',
  future: 'Время подписи в будущем.',
  wrong_secret: 'Подписано другим секретом.',
  rotated_secret: 'Секрет сменили после подписи.',
  malformed_header: 'Заголовка подписи нет, или он неверен.',
  mismatch: 'Другой секрет или другое тело.',
}

/** Sentences of the server in Russian. A sentence that is not here stays English. */
const SENTENCES: Readonly<Record<string, string>> = {
  'The signature matches and its time is within the tolerance.': 'Подпись верна, и её время допустимо.',
  'The v1 signature matches.': 'Подпись v1 верна.',
  'It has no replay protection, so prefer v2.': 'Она не защищает от повторов, лучше v2.',
  'The sent bytes and signature are valid, so check the receiver.': 'Тело и подпись верны, проверьте получателя.',
  'The receiver is right to reject this webhook.': 'Получатель верно отклонил этот вебхук.',
  'Verify the raw bytes, before any JSON parser.': 'Проверяйте исходные байты до разбора JSON.',
  'Verify with the whs_… secret of this endpoint.': 'Проверяйте секретом whs_… этого эндпоинта.',
  'Behind `psp listen` it is the secret of the shop: `psp listen --print-secret`.':
    'С `psp listen` это секрет магазина: `psp listen --print-secret`.',
  'Exempt webhooks from login and CSRF protection.': 'Отключите для вебхуков вход и защиту CSRF.',
  'They carry a signature instead.': 'Вместо них есть подпись.',
  'The receiver has no such path.': 'У получателя нет такого пути.',
  'Check the URL.': 'Проверьте URL.',
  'Accept POST on this path.': 'Принимайте POST по этому пути.',
  'Exempt webhooks from the rate limit.': 'Не ограничивайте частоту вебхуков.',
  'The service does not follow redirects.': 'Сервис не следует перенаправлениям.',
  'Give the final URL.': 'Укажите конечный URL.',
  'The receiver failed with an internal error.': 'У получателя внутренняя ошибка.',
  'See its log.': 'Посмотрите его журнал.',
  'Is your server running?': 'Ваш сервер запущен?',
  'Check address, port and firewall.': 'Проверьте адрес, порт и брандмауэр.',
  'Respond first, then do the slow work.': 'Сначала ответьте, потом делайте долгую работу.',
}

/** Returns the paragraphs of a diagnosis. */
export function diagnosisText(
  { cause, message, advice }: DiagnosisView,
  language: string,
): readonly (readonly TextPart[])[] {
  const texts = [message, advice ?? ''].flatMap((text) => text.split('\n')).filter((text) => text !== '')
  if (language !== 'ru') return texts.map((text) => [{ text }])
  const translated = cause !== null && Object.hasOwn(CAUSES, cause) ? CAUSES[cause] : undefined
  const paragraphs = texts.map((text) => text.split(/(?<=[.?]) (?=[A-Z])/).map(sentence))
  return translated === undefined ? paragraphs : [[{ text: translated }], ...paragraphs]
}

function sentence(text: string): TextPart {
  const translated = Object.hasOwn(SENTENCES, text) ? SENTENCES[text] : undefined
  return translated === undefined ? { text, lang: 'en' } : { text: translated }
}
