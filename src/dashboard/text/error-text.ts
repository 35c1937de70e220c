// The errors of the server in the language of the user.

/** The meanings of the error codes in Russian. English uses the text of the server. */
const CODES: Readonly<Record<string, string>> = {
  bad_request: 'Запрос неверен.',
  unauthorized: 'Нужен действительный токен или ключ.',
  forbidden: 'Нет доступа.',
  not_found: 'Не найдено.',
  idempotent_conflict: 'Этот Idempotency-Key уже использован.',
  not_pending: 'Отменить можно только ожидающий платёж.',
  not_refundable: 'Вернуть деньги можно только за успешный платёж.',
  already_refunded: 'Возвращать нечего: вся сумма возвращена или ожидает возврата.',
  not_allowed: 'Сейчас это невозможно.',
  sandbox_reset: 'Песочница сброшена или восстановлена во время запроса. Повторите его.',
  payload_too_large: 'Запрос слишком велик.',
  amount_exceeds_remainder: 'Сумма больше остатка, который можно вернуть.',
  route_not_configured: 'Магазину не разрешены выплаты.',
  method_not_supported: 'Банк не поддерживает этот способ.',
  rate_limited: 'Слишком много запросов.',
  internal_error: 'Внутренняя ошибка сервера.',
  router_error: 'Банк получателя не найден.',
  storage_unavailable: 'Сервер не смог сохранить изменение.',
  simulated_fault: 'Запрос отклонён сбоем песочницы. Он ничего не изменил.',
  unreachable: 'Сервер не отвечает.',
}

/** The codes whose English text has details that the translation lacks. The text is shown after the translation. */
const DETAILED: readonly string[] = [
  'bad_request',
  'not_found',
  'not_allowed',
  'forbidden',
  'amount_exceeds_remainder',
  'idempotent_conflict',
]

/** An error that the simulator is configured to return, or a fault. Its text names the cause. */
const SIMULATED = /^A fault | simulator is conf/

/** Returns the text of an error. Text of the server without a translation stays English. */
export function errorText(error: unknown, { language }: { readonly language: string }): string {
  const { code = '', message = String(error) } = (error ?? {}) as { code?: string; message?: string }
  if (language !== 'ru' || !Object.hasOwn(CODES, code)) return message
  return DETAILED.includes(code) || SIMULATED.test(message) ? `${CODES[code]} ${message}` : `${CODES[code]}`
}
