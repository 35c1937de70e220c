// Replaces src/view-model/rows/message-rows.ts. The dashboard has no list of messages.
import type * as messageRows from '../../view-model/rows/message-rows.ts'

export const addMessageRows: typeof messageRows.addMessageRows = (stream) => stream
