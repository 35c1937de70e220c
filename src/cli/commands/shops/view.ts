import type { ShopView } from '../../../client/control-types.ts'
import { printDetails } from '../../output/details.ts'
import type { Output } from '../../output/output.ts'

const onOff = (value: boolean | undefined) => (value === true ? 'on' : 'off')

export function printShop(out: Output, shop: ShopView): void {
  printDetails(out, [
    ['shop', shop.id, out.paint.bold],
    ['name', shop.name],
    ['merchant', shop.merchant_id],
    ['live mode', onOff(shop.live_enabled)],
    ['signed requests', shop.require_signature ? 'required' : 'optional'],
    ['allowed callers', shop.ip_allow_list.length === 0 ? 'all' : shop.ip_allow_list.join(', ')],
    ['rate limit', shop.rate_limit ?? 'the setting rate_limit'],
    ['payouts', onOff(shop.payout_route)],
  ])
}
