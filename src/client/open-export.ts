import { type HttpClient, refusal } from './http-client.ts'

/** The whole state as it comes. @throws ApiError */
export async function openExport(control: HttpClient): Promise<AsyncIterable<Uint8Array>> {
  const response = await control.open({ method: 'GET', path: '/_psp/export' })
  if (response.status !== 200 || response.body === null) throw await refusal(response, '/_psp/export')
  return response.body
}
