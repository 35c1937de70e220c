import type { NoArguments, Run } from '../../command.ts'
import { printDetails } from '../../output/details.ts'
import { printResult } from '../../output/print-result.ts'
import { endpointUrl } from '../../parsing/parse-address.ts'
import type { CREATE_FLAGS } from './flags.ts'
import { shopBody } from './shop-body.ts'

export const run: Run<NoArguments, typeof CREATE_FLAGS> = async ({ flags, session }) => {
  const endpoints = flags.endpoint.map((url) => ({ url: endpointUrl(url) }))
  const { client } = await session.target()
  const made = await client.control.shops.create({
    ...shopBody(flags),
    merchant_id: flags.merchant,
    endpoints: endpoints.length === 0 ? undefined : endpoints,
  })
  return await printResult(session.out, made, () =>
    printDetails(session.out, [
      ['shop', made.shop_id, session.out.paint.bold],
      ['merchant', made.merchant_id],
      ['API key', made.api_key],
      ['signing secret', made.signing_secret],
      ['webhook secret', made.webhook_secret],
      ...(made.endpoints ?? []).map((endpoint) => ['endpoint', `${endpoint.url}  ${endpoint.secret ?? ''}`] as const),
    ]),
  )
}
