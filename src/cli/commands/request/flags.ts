import { asIs, list, required, toggle, value } from '../../parsing/flags.ts'
import { requestHeader } from './header.ts'

export const REQUEST_ARGUMENTS = {
  method: required('GET, POST, …'),
  path: required('path with its query: /v1/public/payments'),
}

export const REQUEST_FLAGS = {
  body: value('-d, --body <json>', 'the body, @FILE for a file, - for stdin; sent unchanged', asIs),
  header: list("-H, --header <'K: V'>", "a header; 'K:' omits it, 'K;' sends it empty", requestHeader),
  sign: toggle('--sign', 'sign it with the signing secret'),
  include: toggle('-i, --include', 'also show the response headers'),
}
