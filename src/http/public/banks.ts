// Spec 4.7: GET /v1/public/banks/sbp.
import { directory } from '../../domain/bank.ts'
import { operation } from './operation.ts'

export const banks = operation({
  name: 'banks',
  method: 'GET',
  path: '/banks/sbp',
  refuses: [],
  run: ({ world }) => ({ status: 200, body: { items: directory(world.settings.banks) } }),
})
