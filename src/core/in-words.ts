/** A name of several words written as one, in words: `reasoningTokens` is "reasoning tokens". */
export const inWords = (name: string): string => name.replaceAll(/([a-z])([A-Z])/gu, '$1 $2').toLowerCase()
