"""Numbers of tokens (``T``) and rules (``R``). Generated from grammar/*.g4 by mk/generate_parsers.sh."""


class T:
    VCL = 1
    BACKEND = 2
    PROBE = 3
    ACL = 4
    SUB = 5
    IMPORT = 6
    SET = 7
    UNSET = 8
    CALL = 9
    RETURN = 10
    IF = 11
    NEW = 12
    ELSE = 13
    ELSEIF = 14
    FROM = 15
    AS = 16
    NONE = 17
    INCLUDE = 18
    TEST = 19
    IDENTIFIER = 20
    NUMBER = 21
    STRING = 22
    UNCLOSED_STRING = 23
    LONG_STRING = 24
    TRIPLE_STRING = 25
    BLOB = 26
    INLINE_C = 27
    LBRACE = 28
    RBRACE = 29
    LPAREN = 30
    RPAREN = 31
    LBRACKET = 32
    RBRACKET = 33
    SEMI = 34
    COMMA = 35
    DOT = 36
    ASSIGN = 37
    ADD_ASSIGN = 38
    SUB_ASSIGN = 39
    MUL_ASSIGN = 40
    DIV_ASSIGN = 41
    EQ = 42
    NE = 43
    LT = 44
    LE = 45
    GT = 46
    GE = 47
    MATCH = 48
    NO_MATCH = 49
    NOT = 50
    AND = 51
    OR = 52
    PLUS = 53
    MINUS = 54
    STAR = 55
    SLASH = 56
    PERCENT = 57
    DOUBLE_PLUS = 58
    DOUBLE_MINUS = 59
    LINE_COMMENT = 60
    BLOCK_COMMENT = 61
    SPACE = 62
    UNKNOWN = 63


class R:
    program = 0
    declaration = 1
    version = 2
    backend = 3
    none = 4
    probe = 5
    properties = 6
    field = 7
    fieldName = 8
    acl = 9
    aclEntries = 10
    aclFlag = 11
    aclEntry = 12
    optionalAddress = 13
    aclAddress = 14
    negated = 15
    maskBits = 16
    subroutine = 17
    testCase = 18
    importModule = 19
    importAlias = 20
    declaredName = 21
    inlineC = 22
    block = 23
    statement = 24
    setStatement = 25
    assignment = 26
    unsetStatement = 27
    callStatement = 28
    returnStatement = 29
    action = 30
    newStatement = 31
    functionStatement = 32
    ifStatement = 33
    ifArm = 34
    elseArm = 35
    condition = 36
    expression = 37
    conjunction = 38
    negation = 39
    comparison = 40
    comparator = 41
    arithmetic = 42
    arithmeticOp = 43
    minus = 44
    postfix = 45
    member = 46
    memberName = 47
    parenthesised = 48
    arguments = 49
    argument = 50
    name = 51
    number = 52
    string = 53
    blob = 54


RULE_NAMES = (
    "program",
    "declaration",
    "version",
    "backend",
    "none",
    "probe",
    "properties",
    "field",
    "fieldName",
    "acl",
    "aclEntries",
    "aclFlag",
    "aclEntry",
    "optionalAddress",
    "aclAddress",
    "negated",
    "maskBits",
    "subroutine",
    "testCase",
    "importModule",
    "importAlias",
    "declaredName",
    "inlineC",
    "block",
    "statement",
    "setStatement",
    "assignment",
    "unsetStatement",
    "callStatement",
    "returnStatement",
    "action",
    "newStatement",
    "functionStatement",
    "ifStatement",
    "ifArm",
    "elseArm",
    "condition",
    "expression",
    "conjunction",
    "negation",
    "comparison",
    "comparator",
    "arithmetic",
    "arithmeticOp",
    "minus",
    "postfix",
    "member",
    "memberName",
    "parenthesised",
    "arguments",
    "argument",
    "name",
    "number",
    "string",
    "blob",
)
