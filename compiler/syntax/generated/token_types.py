"""Numbers of tokens (``T``) and rules (``R``). Generated from grammar/*.g4 by mk/generate_parsers.sh."""


class T:
    VCL = 1
    BACKEND = 2
    PROBE = 3
    ACL = 4
    SUB = 5
    IMPORT = 6
    UNUSED = 7
    SET = 8
    UNSET = 9
    CALL = 10
    RETURN = 11
    IF = 12
    NEW = 13
    PROCEDURE = 14
    TEXT_SET = 15
    CONST = 16
    PARAM = 17
    FN = 18
    TABLE = 19
    COUNTER = 20
    BUDGET = 21
    CACHING = 22
    LET = 23
    SWITCH = 24
    CASE = 25
    FOR = 26
    COUNT = 27
    LOG = 28
    ALLOW = 29
    BUILTIN = 30
    INVARIANT = 31
    GIVE = 32
    ELSE = 33
    ELSEIF = 34
    FROM = 35
    AS = 36
    NONE = 37
    INCLUDE = 38
    TEST = 39
    MUT = 40
    BY = 41
    COLUMNS = 42
    DEFAULT = 43
    IN = 44
    STARTS = 45
    ENDS = 46
    CONTAINS = 47
    IS = 48
    IS_NOT = 49
    IDENTIFIER = 50
    NUMBER = 51
    STRING = 52
    UNCLOSED_STRING = 53
    LONG_STRING = 54
    TRIPLE_STRING = 55
    BLOB = 56
    INLINE_C = 57
    LBRACE = 58
    RBRACE = 59
    LPAREN = 60
    RPAREN = 61
    LBRACKET = 62
    RBRACKET = 63
    SEMI = 64
    COMMA = 65
    DOT = 66
    COLON = 67
    QUESTION = 68
    AT = 69
    ARROW = 70
    MAPS_TO = 71
    ASSIGN = 72
    ADD_ASSIGN = 73
    SUB_ASSIGN = 74
    MUL_ASSIGN = 75
    DIV_ASSIGN = 76
    EQ = 77
    NE = 78
    LT = 79
    LE = 80
    GT = 81
    GE = 82
    MATCH = 83
    NO_MATCH = 84
    NOT = 85
    COALESCE = 86
    AND = 87
    OR = 88
    PLUS = 89
    MINUS = 90
    STAR = 91
    SLASH = 92
    PERCENT = 93
    DOUBLE_PLUS = 94
    DOUBLE_MINUS = 95
    LINE_COMMENT = 96
    BLOCK_COMMENT = 97
    SPACE = 98
    UNKNOWN = 99


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
    unused = 21
    declaredName = 22
    inlineC = 23
    constant = 24
    typed = 25
    typeName = 26
    function = 27
    parameters = 28
    parameter = 29
    textSet = 30
    tableDeclaration = 31
    tableKind = 32
    columns = 33
    rows = 34
    row = 35
    rowKey = 36
    defaultWord = 37
    counter = 38
    budget = 39
    budgetEntry = 40
    caching = 41
    annotation = 42
    block = 43
    statement = 44
    setStatement = 45
    assignment = 46
    unsetStatement = 47
    callStatement = 48
    returnStatement = 49
    action = 50
    newStatement = 51
    functionStatement = 52
    ifStatement = 53
    ifArm = 54
    elseArm = 55
    condition = 56
    letStatement = 57
    mut = 58
    binding = 59
    giveStatement = 60
    switchStatement = 61
    switchCase = 62
    caseLabel = 63
    matching = 64
    forStatement = 65
    countStatement = 66
    logStatement = 67
    logPair = 68
    allowStatement = 69
    builtinStatement = 70
    invariant = 71
    labelled = 72
    expression = 73
    conjunction = 74
    negation = 75
    comparison = 76
    comparator = 77
    capture = 78
    presence = 79
    arithmetic = 80
    coalesce = 81
    arithmeticOp = 82
    minus = 83
    postfix = 84
    member = 85
    subscript = 86
    listLiteral = 87
    memberName = 88
    parenthesised = 89
    arguments = 90
    argument = 91
    name = 92
    number = 93
    string = 94
    blob = 95


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
    "unused",
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
