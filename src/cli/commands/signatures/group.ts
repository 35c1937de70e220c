import { command } from '../../command.ts'
import { SIGN_ARGUMENTS, SIGN_FLAGS, VERIFY_ARGUMENTS, VERIFY_FLAGS } from './flags.ts'

export const sign = command({
  name: 'sign',
  about: 'Sign a body like the service.',
  args: SIGN_ARGUMENTS,
  flags: SIGN_FLAGS,
  examples: [
    ['psp sign --secret whs_… body.json', 'the value of X-PSP-Signature, signed now'],
    ['psp sign --request --secret thm_… body.json', 'the signature of a request to the service'],
  ],
  load: () => import('./sign.ts'),
})

export const verify = command({
  name: 'verify',
  about: 'Check a signature, and find out why it does not match.',
  args: VERIFY_ARGUMENTS,
  flags: VERIFY_FLAGS,
  examples: [
    ["psp verify --secret whs_… --signature 't=…,v1=…,v2=…' body.json", 'the bytes of the file, untouched'],
    ['psp verify --delivery dlv_… --explain', 'a delivery of the sandbox'],
    [
      'psp verify --delivery dlv_… body.json --explain',
      'the body that your application received, with the headers of the delivery',
    ],
    ['psp listen --forward 3000 --json | tee line.json', 'and later psp verify --delivery line.json'],
  ],
  load: () => import('./verify.ts'),
})
