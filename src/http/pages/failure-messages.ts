// Messages for buyers about failed and expired payments, in English and Russian.
import type { ExpiryCode, FailureCode } from '../../domain/failure-codes.ts'
import type { Translation } from './messages.ts'

export const FAILURE_MESSAGES = {
  do_not_honor: [
    'The bank declined the payment without giving a reason. Ask your bank, or pay another way.',
    'Банк отклонил платёж без объяснений. Уточните в банке или выберите другой способ.',
  ],
  insufficient_funds: ['There is not enough money in the account.', 'На счёте недостаточно средств.'],
  call_issuer: [
    'The bank wants to talk to you first. Call the number on the card.',
    'Банк хочет сначала поговорить с вами. Позвоните по номеру на карте.',
  ],
  invalid_card_number: ['The card number is not valid.', 'Недействительный номер карты.'],
  card_expired: ['The card has expired.', 'Срок действия карты истёк.'],
  invalid_cvc: ['The security code (CVC) is wrong.', 'Неверный код безопасности (CVC).'],
  card_lost: ['The card has been reported lost.', 'Карта заявлена как утерянная.'],
  card_stolen: ['The card has been reported stolen.', 'Карта заявлена как украденная.'],
  card_restricted: ['This card cannot be used for this payment.', 'Этой картой нельзя оплатить.'],
  transaction_not_allowed: ['The bank does not allow this kind of payment.', 'Банк не разрешает такие платежи.'],
  fraud_suspected: ['The bank blocked the payment as suspicious.', 'Банк счёл платёж подозрительным и остановил его.'],
  limit_exceeded: ['The payment exceeds the limit of the account.', 'Превышен лимит по счёту.'],
  frequency_exceeded: [
    'Too many payments in a short time. Try again later.',
    'Слишком много платежей за короткое время. Попробуйте позже.',
  ],
  three_ds_failed: ['The payment was not confirmed with 3-D Secure.', 'Платёж не подтверждён через 3-D Secure.'],
  rejected_by_payer: ['You declined the payment in the app.', 'Вы отклонили платёж в приложении.'],
  permission_revoked: ['The permission to charge the card was revoked.', 'Разрешение на списание отозвано.'],
  issuer_unavailable: ['The bank is not responding. Try again later.', 'Банк не отвечает. Попробуйте позже.'],
  processing_error: [
    'The bank could not process the payment. Try again later.',
    'Банк не смог обработать платёж. Попробуйте позже.',
  ],
  bank_unknown: ['The payment system does not recognize the bank.', 'Банк неизвестен платёжной системе.'],
  recipient_not_found: ['The recipient was not found.', 'Получатель не найден.'],
  recipient_check_failed: ["The recipient's details do not match.", 'Данные получателя не совпали.'],
  recipient_bank_unavailable: ["The recipient's bank is not responding.", 'Банк получателя не отвечает.'],
  balance_insufficient: ['There is not enough money for the transfer.', 'Недостаточно средств для перевода.'],
  session_timeout: ['The bank did not respond in time.', 'Банк не ответил вовремя.'],
  link_expired: ['The payment link has expired.', 'Срок действия ссылки на оплату истёк.'],
} as const satisfies Record<FailureCode | ExpiryCode, Translation>
