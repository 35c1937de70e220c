// `psp-sandbox/msw`: the sandbox behind Mock Service Worker.
export { createFetchTransport, type HandlerOptions, type MockedSandbox, pspHandlers } from './handlers.ts'
