/** Spec 6.1: any 2xx response accepts a webhook. `undefined` and `null` mean that there was no response. */
export function isSuccess(status: number | null | undefined): status is number {
  return typeof status === 'number' && status >= 200 && status < 300
}
