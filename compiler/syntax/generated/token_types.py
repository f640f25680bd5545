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
    LET = 21
    SWITCH = 22
    CASE = 23
    FOR = 24
    COUNT = 25
    LOG = 26
    ALLOW = 27
    BUILTIN = 28
    INVARIANT = 29
    GIVE = 30
    ELSE = 31
    ELSEIF = 32
    FROM = 33
    AS = 34
    NONE = 35
    INCLUDE = 36
    TEST = 37
    MUT = 38
    BY = 39
    COLUMNS = 40
    DEFAULT = 41
    IN = 42
    STARTS = 43
    ENDS = 44
    CONTAINS = 45
    IS = 46
    IDENTIFIER = 47
    NUMBER = 48
    STRING = 49
    UNCLOSED_STRING = 50
    LONG_STRING = 51
    TRIPLE_STRING = 52
    BLOB = 53
    INLINE_C = 54
    LBRACE = 55
    RBRACE = 56
    LPAREN = 57
    RPAREN = 58
    LBRACKET = 59
    RBRACKET = 60
    SEMI = 61
    COMMA = 62
    DOT = 63
    COLON = 64
    QUESTION = 65
    AT = 66
    ARROW = 67
    MAPS_TO = 68
    ASSIGN = 69
    ADD_ASSIGN = 70
    SUB_ASSIGN = 71
    MUL_ASSIGN = 72
    DIV_ASSIGN = 73
    EQ = 74
    NE = 75
    LT = 76
    LE = 77
    GT = 78
    GE = 79
    MATCH = 80
    NO_MATCH = 81
    NOT = 82
    COALESCE = 83
    AND = 84
    OR = 85
    PLUS = 86
    MINUS = 87
    STAR = 88
    SLASH = 89
    PERCENT = 90
    DOUBLE_PLUS = 91
    DOUBLE_MINUS = 92
    LINE_COMMENT = 93
    BLOCK_COMMENT = 94
    SPACE = 95
    UNKNOWN = 96


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
    annotation = 40
    block = 41
    statement = 42
    setStatement = 43
    assignment = 44
    unsetStatement = 45
    callStatement = 46
    returnStatement = 47
    action = 48
    newStatement = 49
    functionStatement = 50
    ifStatement = 51
    ifArm = 52
    elseArm = 53
    condition = 54
    letStatement = 55
    mut = 56
    binding = 57
    giveStatement = 58
    switchStatement = 59
    switchCase = 60
    caseLabel = 61
    matching = 62
    forStatement = 63
    countStatement = 64
    logStatement = 65
    logPair = 66
    allowStatement = 67
    builtinStatement = 68
    invariant = 69
    labelled = 70
    expression = 71
    conjunction = 72
    negation = 73
    comparison = 74
    comparator = 75
    capture = 76
    presence = 77
    arithmetic = 78
    coalesce = 79
    arithmeticOp = 80
    minus = 81
    postfix = 82
    member = 83
    subscript = 84
    listLiteral = 85
    memberName = 86
    parenthesised = 87
    arguments = 88
    argument = 89
    name = 90
    number = 91
    string = 92
    blob = 93


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
