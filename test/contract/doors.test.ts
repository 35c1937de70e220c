// The list of cases through the other doors; test/spec/ runs it through `sandbox.fetch`. What differs is a fault of the door.
import { CONTRACT_CASES } from './cases.ts'
import { openNodeDoor } from './door.ts'
import { openGeneratedDoor } from './generated-door.ts'
import { openMswDoor } from './msw-door.ts'
import { contractSuite } from './suite.ts'
import { openJoinedDoor, openTestingDoor } from './testing-door.ts'

contractSuite('the node server', openNodeDoor, CONTRACT_CASES)
contractSuite('a client generated from the document', openGeneratedDoor, CONTRACT_CASES)
contractSuite('startSandbox, in process', openTestingDoor, CONTRACT_CASES)
contractSuite('startSandbox, over HTTP', openJoinedDoor, CONTRACT_CASES)
contractSuite('MSW handlers', openMswDoor, CONTRACT_CASES)
