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
    PROCEDURE = 13
    TEXT_SET = 14
    CONST = 15
    PARAM = 16
    FN = 17
    TABLE = 18
    COUNTER = 19
    BUDGET = 20
    CACHING = 21
    LET = 22
    SWITCH = 23
    CASE = 24
    FOR = 25
    COUNT = 26
    LOG = 27
    ALLOW = 28
    BUILTIN = 29
    INVARIANT = 30
    GIVE = 31
    ELSE = 32
    ELSEIF = 33
    FROM = 34
    AS = 35
    NONE = 36
    INCLUDE = 37
    TEST = 38
    MUT = 39
    BY = 40
    COLUMNS = 41
    DEFAULT = 42
    IN = 43
    STARTS = 44
    ENDS = 45
    CONTAINS = 46
    IS = 47
    IS_NOT = 48
    IDENTIFIER = 49
    NUMBER = 50
    STRING = 51
    UNCLOSED_STRING = 52
    LONG_STRING = 53
    TRIPLE_STRING = 54
    BLOB = 55
    INLINE_C = 56
    LBRACE = 57
    RBRACE = 58
    LPAREN = 59
    RPAREN = 60
    LBRACKET = 61
    RBRACKET = 62
    SEMI = 63
    COMMA = 64
    DOT = 65
    COLON = 66
    QUESTION = 67
    AT = 68
    ARROW = 69
    MAPS_TO = 70
    ASSIGN = 71
    ADD_ASSIGN = 72
    SUB_ASSIGN = 73
    MUL_ASSIGN = 74
    DIV_ASSIGN = 75
    EQ = 76
    NE = 77
    LT = 78
    LE = 79
    GT = 80
    GE = 81
    MATCH = 82
    NO_MATCH = 83
    NOT = 84
    COALESCE = 85
    AND = 86
    OR = 87
    PLUS = 88
    MINUS = 89
    STAR = 90
    SLASH = 91
    PERCENT = 92
    DOUBLE_PLUS = 93
    DOUBLE_MINUS = 94
    LINE_COMMENT = 95
    BLOCK_COMMENT = 96
    SPACE = 97
    UNKNOWN = 98


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
    constant = 23
    typed = 24
    typeName = 25
    function = 26
    parameters = 27
    parameter = 28
    textSet = 29
    tableDeclaration = 30
    tableKind = 31
    columns = 32
    rows = 33
    row = 34
    rowKey = 35
    defaultWord = 36
    counter = 37
    budget = 38
    budgetEntry = 39
    caching = 40
    annotation = 41
    block = 42
    statement = 43
    setStatement = 44
    assignment = 45
    unsetStatement = 46
    callStatement = 47
    returnStatement = 48
    action = 49
    newStatement = 50
    functionStatement = 51
    ifStatement = 52
    ifArm = 53
    elseArm = 54
    condition = 55
    letStatement = 56
    mut = 57
    binding = 58
    giveStatement = 59
    switchStatement = 60
    switchCase = 61
    caseLabel = 62
    matching = 63
    forStatement = 64
    countStatement = 65
    logStatement = 66
    logPair = 67
    allowStatement = 68
    builtinStatement = 69
    invariant = 70
    labelled = 71
    expression = 72
    conjunction = 73
    negation = 74
    comparison = 75
    comparator = 76
    capture = 77
    presence = 78
    arithmetic = 79
    coalesce = 80
    arithmeticOp = 81
    minus = 82
    postfix = 83
    member = 84
    subscript = 85
    listLiteral = 86
    memberName = 87
    parenthesised = 88
    arguments = 89
    argument = 90
    name = 91
    number = 92
    string = 93
    blob = 94


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
    "constant",
    "typed",
    "typeName",
    "function",
    "parameters",
    "parameter",
    "textSet",
    "tableDeclaration",
    "tableKind",
    "columns",
    "rows",
    "row",
    "rowKey",
    "defaultWord",
    "counter",
    "budget",
    "budgetEntry",
    "caching",
    "annotation",
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
    "letStatement",
    "mut",
    "binding",
    "giveStatement",
    "switchStatement",
    "switchCase",
    "caseLabel",
    "matching",
    "forStatement",
    "countStatement",
    "logStatement",
    "logPair",
    "allowStatement",
    "builtinStatement",
    "invariant",
    "labelled",
    "expression",
    "conjunction",
    "negation",
    "comparison",
    "comparator",
    "capture",
    "presence",
    "arithmetic",
    "coalesce",
    "arithmeticOp",
    "minus",
    "postfix",
    "member",
    "subscript",
    "listLiteral",
    "memberName",
    "parenthesised",
    "arguments",
    "argument",
    "name",
    "number",
    "string",
    "blob",
)
