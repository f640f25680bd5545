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
    IDENTIFIER = 19
    NUMBER = 20
    STRING = 21
    UNCLOSED_STRING = 22
    LONG_STRING = 23
    TRIPLE_STRING = 24
    BLOB = 25
    INLINE_C = 26
    LBRACE = 27
    RBRACE = 28
    LPAREN = 29
    RPAREN = 30
    LBRACKET = 31
    RBRACKET = 32
    SEMI = 33
    COMMA = 34
    DOT = 35
    ASSIGN = 36
    ADD_ASSIGN = 37
    SUB_ASSIGN = 38
    MUL_ASSIGN = 39
    DIV_ASSIGN = 40
    EQ = 41
    NE = 42
    LT = 43
    LE = 44
    GT = 45
    GE = 46
    MATCH = 47
    NO_MATCH = 48
    NOT = 49
    AND = 50
    OR = 51
    PLUS = 52
    MINUS = 53
    STAR = 54
    SLASH = 55
    PERCENT = 56
    DOUBLE_PLUS = 57
    DOUBLE_MINUS = 58
    LINE_COMMENT = 59
    BLOCK_COMMENT = 60
    SPACE = 61
    UNKNOWN = 62


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
    importModule = 18
    importAlias = 19
    declaredName = 20
    inlineC = 21
    block = 22
    statement = 23
    setStatement = 24
    assignment = 25
    unsetStatement = 26
    callStatement = 27
    returnStatement = 28
    action = 29
    newStatement = 30
    functionStatement = 31
    ifStatement = 32
    ifArm = 33
    elseArm = 34
    condition = 35
    expression = 36
    conjunction = 37
    negation = 38
    comparison = 39
    comparator = 40
    arithmetic = 41
    arithmeticOp = 42
    minus = 43
    postfix = 44
    member = 45
    memberName = 46
    parenthesised = 47
    arguments = 48
    argument = 49
    name = 50
    number = 51
    string = 52
    blob = 53


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
