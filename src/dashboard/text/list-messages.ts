// The texts of every list, in English and Russian.

export const LIST_MESSAGES = {
  search: ['Search', 'Поиск'],
  search_payments: ['Id, order, phone, amount…', 'ID, заказ, телефон, сумма…'],
  search_refunds: ['Id, order, reason, amount…', 'ID, заказ, причина, сумма…'],
  filter_any: ['any', 'все'],
  clear_filters: ['Clear', 'Сбросить'],
  count_all: ['{count}', '{count}'],
  count_some: ['{count} of {total}', '{count} из {total}'],
  equal_steps: ['{count} times', '×{count}'],
  equal_steps_or_more: ['{count} times or more', '{count} раз или больше'],
  filters: ['Filters', 'Фильтры'],
  limit_reached: ['newest only', 'только последние'],
  nothing_found: ['Nothing matches', 'Ничего не найдено'],
  nothing_found_text: ['Change the search or the filters.', 'Измените поиск или фильтры.'],
  nothing_found_limit: ['Only the newest {count} are shown.', 'Показаны только последние {count}.'],
  loading: ['Loading…', 'Загрузка…'],
  loading_so_far: ['Loading… {count} so far', 'Загрузка… Уже {count}'],
  no_payments: ['No payments yet', 'Платежей пока нет'],
  no_payments_text: [
    'Create one here, or with `psp payments create --amount 100`.',
    'Создайте платёж здесь или командой `psp payments create --amount 100`.',
  ],
  no_payouts: ['No payouts yet', 'Выплат пока нет'],
  no_payouts_text: [
    'Create one here, or with `psp payouts create`.',
    'Создайте выплату здесь или командой `psp payouts create`.',
  ],
  no_refunds: ['No refunds yet', 'Возвратов пока нет'],
  no_refunds_text: ['Open a succeeded payment and refund it.', 'Откройте успешный платёж и верните деньги.'],
} as const satisfies Readonly<Record<string, readonly [en: string, ru: string]>>
