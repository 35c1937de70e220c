import { command } from '../../command.ts'
import { COMPLETION_ARGUMENTS } from './flags.ts'

export const completion = command({
  name: 'completion',
  about: 'Print the completion script of a shell.',
  args: COMPLETION_ARGUMENTS,
  examples: [
    ['source <(psp completion bash)', 'in ~/.bashrc'],
    ['psp completion zsh > ~/.zfunc/_psp', 'for zsh'],
    ['psp completion fish > ~/.config/fish/completions/psp.fish', 'for fish'],
  ],
  load: () => import('./completion.ts'),
})
