/** Names of headers and fields that hold secrets. */
const SECRET =
  /(?:^|[-_.])(?:authorization|auth|(?:api|access|subscription)?-?_?keys?|tokens?|secrets?|passwords?|cookies?|credentials?|signature)$/iu

/** Does a header or a field of this name hold a secret? */
export const isSecretName = (name: string): boolean => SECRET.test(name)
