// An oxlint plugin: what may not decide content, because ECMAScript leaves its last bits to the implementation or
// because it differs between two calls. + - * / Math.sqrt and comparisons are exact everywhere.

const exactMath = new Set([
  'abs',
  'ceil',
  'clz32',
  'floor',
  'fround',
  'imul',
  'max',
  'min',
  'round',
  'sign',
  'sqrt',
  'trunc',
  'E',
  'LN10',
  'LN2',
  'LOG10E',
  'LOG2E',
  'PI',
  'SQRT1_2',
  'SQRT2',
]) // prettier-ignore
const impure = new Set(['Date', 'Intl', 'performance', 'crypto', 'globalThis'])
const localeMethods = /^(localeCompare|toLocale[A-Z]\w*)$/

const keyName = (node, key) =>
  node.computed === true ? (key.type === 'Literal' && typeof key.value === 'string' ? key.value : undefined) : key.name

const isBigInt = (node) =>
  (node.type === 'Literal' && typeof node.value === 'bigint') ||
  (node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'BigInt')

/** A constant power such as 2 ** 53 or 10n ** k is exact; a power of two numbers need not be. */
const isExactPower = ({ left, right }) =>
  isBigInt(left) ||
  isBigInt(right) ||
  (left.type === 'Literal' && left.value === 2 && right.type === 'Literal' && Number.isInteger(right.value))

const rule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const report = (node, what) =>
      context.report({
        node,
        message: `${what} is not the same on every platform or in every call; see CONTRIBUTING.md, Exact arithmetic`,
      })
    const isReference = (node) => {
      const { parent } = node
      if (parent.type === 'MemberExpression' && parent.property === node) return parent.computed
      if (parent.type === 'Property' && parent.key === node) return parent.computed || parent.shorthand
      return !/^(TS|MethodDefinition|PropertyDefinition|Import|Export)/.test(parent.type)
    }
    return {
      BinaryExpression(node) {
        if (node.operator === '**' && !isExactPower(node)) report(node, '`**`')
      },
      AssignmentExpression(node) {
        if (node.operator === '**=') report(node, '`**=`')
      },
      MemberExpression(node) {
        const name = keyName(node, node.property)
        if (node.object.type === 'Identifier' && node.object.name === 'Math') {
          if (name === undefined || !exactMath.has(name)) report(node, `Math.${name ?? '[computed]'}`)
        } else if (name !== undefined && localeMethods.test(name)) report(node, name)
      },
      Identifier(node) {
        if (!isReference(node)) return
        if (impure.has(node.name)) report(node, node.name)
        const member = node.parent.type === 'MemberExpression' && node.parent.object === node
        if (node.name === 'Math' && !member) report(node, 'Math as a value (its members cannot be checked)')
      },
    }
  },
}

export default { meta: { name: 'touchstone' }, rules: { exact: rule } }
