// Why a payment did not go through, for a buyer: English, Russian.
import type { ExpiryCode, FailureCode } from '../../domain/failure-codes.ts'
import type { Translation } from './messages.ts'

/** What a buyer is told for each code. */
export const FAILURE_MESSAGES = {
  do_not_honor: [
    'The bank refused the payment without a reason. Ask your bank or pay another way.',
    'Банк отклонил платёж без объяснений. Уточните в банке или выберите другой способ.',
  ],
  insufficient_funds: ['There is not enough money on the account.', 'На счёте недостаточно средств.'],
  call_issuer: [
    'The bank wants to talk to you first. Call the number on the card.',
    'Банк хочет сначала поговорить с вами. Позвоните по номеру на карте.',
  ],
  invalid_card_number: ['The bank does not know this card number.', 'Банк не знает такого номера карты.'],
  card_expired: ['The card has expired.', 'Срок действия карты истёк.'],
  invalid_cvc: ['The security code (CVC) is wrong.', 'Неверный код безопасности (CVC).'],
  card_lost: ['The card is reported lost.', 'Карта заявлена как утерянная.'],
  card_stolen: ['The card is reported stolen.', 'Карта заявлена как украденная.'],
  card_restricted: ['The card may not be used for this payment.', 'Этой картой нельзя оплатить.'],
  transaction_not_allowed: ['The bank does not allow payments of this kind.', 'Банк не разрешает такие платежи.'],
  fraud_suspected: [
    'The bank found the payment suspicious and stopped it.',
    'Банк счёл платёж подозрительным и остановил его.',
  ],
  limit_exceeded: ['The payment is above the limit of the account.', 'Превышен лимит по счёту.'],
  frequency_exceeded: ['There were too many payments in a short time.', 'Слишком много платежей за короткое время.'],
  three_ds_failed: ['The payment was not confirmed with 3-D Secure.', 'Платёж не подтверждён через 3-D Secure.'],
  rejected_by_payer: ['You declined the payment in the app.', 'Вы отклонили платёж в приложении.'],
  permission_revoked: ['The permission to charge the card was withdrawn.', 'Разрешение на списание отозвано.'],
  issuer_unavailable: ['The bank does not answer. Try again later.', 'Банк не отвечает. Попробуйте позже.'],
  processing_error: [
    'The bank could not process the payment. Try again later.',
    'Банк не смог обработать платёж. Попробуйте позже.',
  ],
  bank_unknown: ['The bank is not known to the payment system.', 'Банк неизвестен платёжной системе.'],
  recipient_not_found: ['The recipient was not found.', 'Получатель не найден.'],
  recipient_check_failed: ["The recipient's details do not match.", 'Данные получателя не совпали.'],
  recipient_bank_unavailable: ["The recipient's bank does not answer.", 'Банк получателя не отвечает.'],
  balance_insufficient: ['There is not enough money for the transfer.', 'Недостаточно средств для перевода.'],
  session_timeout: ['The bank did not answer in time.', 'Банк не ответил вовремя.'],
  link_expired: ['Nobody paid while the link was valid.', 'Срок действия ссылки прошёл, а платёж не начат.'],
} as const satisfies Record<FailureCode | ExpiryCode, Translation>
