// `psp-sandbox/msw`: the sandbox behind Mock Service Worker.
export { type HandlerOptions, type MockedSandbox, pspHandlers } from './handlers.ts'
export { createFetchTransport } from './webhooks.ts'
