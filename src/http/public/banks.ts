// Spec 4.7: GET /v1/public/banks/sbp.
import { type Bank, directory } from '../../domain/bank.ts'
import { operation } from './operation.ts'

export const banks = operation({
  name: 'banks',
  method: 'GET',
  path: '/banks/sbp',
  errors: [],
  run({ world }) {
    const items = directory(world.settings.banks)
    const text = TEXTS.get(items) ?? JSON.stringify({ items })
    TEXTS.set(items, text)
    return { status: 200, body: { items }, text }
  },
})

/** The serialized directories, which never change. */
const TEXTS = new WeakMap<readonly Bank[], string>()
