import { expect, test } from 'vitest'
import { createConfirmations, type PendingConfirmation } from '../../../src/http/pages/confirmations.ts'

const confirmation = (round: number) => ({ round }) as PendingConfirmation

test('only the 10,000 newest confirmations are kept, so pages that are opened repeatedly use little memory', () => {
  const confirmations = createConfirmations()
  for (let at = 0; at < 10_000; at++) confirmations.set(`p${at}`, confirmation(0))
  // A form that is sent again makes its confirmation the newest.
  confirmations.set('p0', confirmation(1))
  expect(['p0', 'p1', 'p2'].map((id) => confirmations.get(id)?.round)).toEqual([1, 0, 0])
  confirmations.set('new', confirmation(0))
  expect(['p0', 'p1', 'p2', 'new'].map((id) => confirmations.get(id)?.round)).toEqual([1, undefined, 0, 0])
})
