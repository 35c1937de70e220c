// The messages of the page at `/`, for developers, in English and Russian. See messages.ts.
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
    'None yet. Create one with `psp payments create --amount 100`.',
    'Пока нет. `psp payments create --amount 100` создаст первый.',
  ],
  home_more: ['`psp ui` shows all payments and their webhooks live.', 'Все платежи и их вебхуки вживую: `psp ui`.'],
  home_documents: ['API and health', 'API и состояние'],
  home_public_api: ['Public API (OpenAPI)', 'Публичный API (OpenAPI)'],
  home_control_api: ['Control API of the sandbox (OpenAPI)', 'API управления песочницей (OpenAPI)'],
  home_health: ['Health of this server', 'Состояние сервера'],
  home_closed: [
    'To see the data of this server, send its control token, or open the server as localhost. The API is described below.',
    'Данные этого сервера доступны с токеном управления или по имени localhost. API описан ниже.',
  ],
} as const satisfies Record<string, Translation>
