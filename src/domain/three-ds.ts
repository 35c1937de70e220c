// The steps of a 3-D Secure confirmation. In English each step is shown as its name, such as `wrong code`.

/** The steps in Russian. */
export const THREE_DS_STEPS = {
  code_requested: 'код запрошен',
  incomplete_code: 'неполный код',
  wrong_code: 'неверный код',
  expired_code: 'код истёк',
  new_code_requested: 'новый код запрошен',
  back_to_card: 'назад к карте',
  confirmed: 'подтверждено',
  declined: 'отклонено покупателем',
} as const

export type ThreeDsStep = keyof typeof THREE_DS_STEPS

export function threeDsText(step: string): string {
  return step.replaceAll('_', ' ')
}
