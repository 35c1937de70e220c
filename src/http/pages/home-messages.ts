// The localizer of the page at `/`, for developers: English, Russian. See texts.ts.
import type { Translation } from './messages.ts'

export const HOME_MESSAGES = {
  home_title: ['psp sandbox', 'Песочница psp'],
  home_skip: ['Skip to content', 'Перейти к содержанию'],
  home_about: [
    'A payment service provider for development: payments, refunds, payouts and webhooks, all simulated.',
    'Платёжный провайдер для разработки: платежи, возвраты, выплаты и вебхуки — всё имитация.',
  ],
  home_footer: ['Simulated payments. No money moves.', 'Имитация платежей. Деньги не списываются.'],
  home_api: ['API', 'API'],
  home_version: ['Version', 'Версия'],
  home_clock: ['Clock', 'Часы'],
  home_clock_real: ['running', 'идут'],
  home_clock_ahead: ['running, {span} ahead', 'идут, на {span} вперёд'],
  home_clock_behind: ['running, {span} behind', 'идут, на {span} назад'],
  home_clock_frozen: ['frozen', 'остановлены'],
  home_clock_scaled: ['{speed} times as fast', 'быстрее в {speed} раз'],
  home_payments: ['Latest payments', 'Последние платежи'],
  home_none: [
    'None yet. `psp payments create --amount 100` makes one.',
    'Пока нет. `psp payments create --amount 100` создаст первый.',
  ],
  home_more: ['All of them, with their webhooks, live: `psp ui`.', 'Все платежи и их вебхуки вживую: `psp ui`.'],
  home_documents: ['API and health', 'API и состояние'],
  home_public_api: ['Public API (OpenAPI)', 'Публичный API (OpenAPI)'],
  home_control_api: ['Control API of the sandbox (OpenAPI)', 'API управления песочницей (OpenAPI)'],
  home_health: ['Health of this server', 'Состояние сервера'],
  home_closed: [
    'This server tells no more here. What its API can do is in the document below; what it holds is told with its control token, or by the name localhost.',
    'Больше сервер здесь не сообщает. Что умеет API, описано ниже; данные доступны с токеном управления или по имени localhost.',
  ],
} as const satisfies Record<string, Translation>
