import * as z from 'zod'
import { DRY_RUN_HEADER } from '../dry-run.ts'

/** The header of operations that write. */
export const DRY_RUN_PARAMETER = {
  [DRY_RUN_HEADER]: z.literal('true').meta({
    description:
      'Returns the response or error of this request, and changes nothing. The response has the same header. Ids and secrets in it are not kept.',
  }),
}
