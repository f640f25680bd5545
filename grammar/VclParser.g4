/* Syntax of VCL 4.0, 4.1 and 5.0. What only 5.0 has begins with a token that no file of 4.x contains.
 *
 * Every alternative that means something has a rule of its own: its number is its kind in the flat tree that
 * syntax/builder.py turns into nodes, where each rule has one method. Loops, not recursion, for chains and arms; the
 * operators of one arithmetic chain are one flat list because their association depends on the expected type. Almost
 * every decision is made on one token, which keeps the generated parsers fast.
 *
 * `include` is not here: it splices tokens wherever it stands (syntax/splice.py) before the parser sees them.
 */
parser grammar VclParser;

options { tokenVocab = VclLexer; }

program : declaration* EOF ;

// ---- declarations

declaration
    : version
    | backend
    | probe
    | acl
    | subroutine
    | importModule
    | inlineC
    | testCase
    | constant
    | function
    | textSet
    | tableDeclaration
    | counter
    | budget
    | caching
    | unused
    ;

version : VCL NUMBER SEMI ;

backend : BACKEND declaredName ( none SEMI | properties ) ;
none    : NONE ;
probe   : PROBE declaredName properties ;

properties : LBRACE field* RBRACE ;
field      : DOT fieldName ASSIGN ( properties | expression string* SEMI ) ;
fieldName  : IDENTIFIER ;

acl        : ACL declaredName aclFlag* aclEntries ;
aclEntries : LBRACE aclEntry* RBRACE ;
aclFlag    : ( PLUS | MINUS ) IDENTIFIER ( LPAREN aclFlag RPAREN )? ;
aclEntry   : negated? ( optionalAddress | aclAddress ) SEMI ;
optionalAddress : LPAREN negated? aclAddress RPAREN ;
aclAddress : string ( SLASH maskBits )? ;
negated    : NOT ;
maskBits   : NUMBER ;

subroutine : annotation* ( SUB declaredName | PROCEDURE declaredName parameters ) block ;  // PROCEDURE is also `sub`

// Only in files of tests (NAME.test.vcl); syntax/parser.py refuses it elsewhere.
testCase : TEST string block ;

importModule : IMPORT ( declaredName ( AS importAlias )? ( FROM string )? | string AS importAlias ) SEMI ;
importAlias  : IDENTIFIER ;

unused : UNUSED declaredName SEMI ;

declaredName : IDENTIFIER ;
inlineC      : INLINE_C ;

// ---- declarations of 5.0

constant : ( CONST | PARAM ) declaredName typed? ASSIGN expression SEMI ;
typed    : COLON typeName ;
typeName : IDENTIFIER QUESTION? ;

function   : FN declaredName parameters ARROW typeName block ;
parameters : LPAREN ( parameter ( COMMA parameter )* )? RPAREN ;
parameter  : declaredName typed ;

textSet : TEXT_SET declaredName listLiteral SEMI ;

tableDeclaration : TABLE declaredName typed BY tableKind ( rows | FROM string columns? ) SEMI ;
tableKind    : IDENTIFIER ;
columns      : COLUMNS LPAREN IDENTIFIER COMMA IDENTIFIER RPAREN ;
rows         : LBRACKET ( row ( COMMA row? )* )? RBRACKET ;
row          : ( defaultWord | rowKey ) MAPS_TO expression ;
rowKey       : string ( SLASH maskBits )? ;
defaultWord  : DEFAULT ;

counter      : COUNTER declaredName ( BY LPAREN declaredName ( COMMA declaredName )* RPAREN )? SEMI ;
budget       : BUDGET LBRACE budgetEntry* RBRACE ;
budgetEntry  : IDENTIFIER NUMBER SEMI ;
caching      : CACHING NUMBER SEMI ;
annotation   : AT IDENTIFIER arguments? ;

// ---- statements

block : LBRACE statement* RBRACE ;

statement
    : setStatement
    | unsetStatement
    | callStatement
    | returnStatement
    | ifStatement
    | newStatement
    | functionStatement
    | block
    | inlineC
    | letStatement
    | giveStatement
    | switchStatement
    | forStatement
    | countStatement
    | logStatement
    | allowStatement
    | builtinStatement
    | invariant
    | labelled
    ;

setStatement      : SET name assignment expression SEMI ;
assignment        : ASSIGN | ADD_ASSIGN | SUB_ASSIGN | MUL_ASSIGN | DIV_ASSIGN ;
unsetStatement    : UNSET name SEMI ;
callStatement     : CALL postfix SEMI ;
returnStatement   : RETURN ( LPAREN action RPAREN )? SEMI ;
action            : name arguments? ;
newStatement      : NEW declaredName ASSIGN name arguments SEMI ;
functionStatement : name arguments ( member )* SEMI ;

ifStatement : ifArm elseArm* ;
ifArm       : IF condition block ;
elseArm     : ( ELSEIF condition | ELSE ( IF condition )? ) block ;
condition   : LPAREN binding? expression RPAREN ;

// ---- statements of 5.0

letStatement     : LET mut? declaredName typed? ASSIGN expression SEMI ;
mut              : MUT ;
binding          : LET declaredName ASSIGN ;
giveStatement    : GIVE LPAREN expression RPAREN SEMI ;  // the `return` of a function
switchStatement  : SWITCH condition LBRACE switchCase* RBRACE ;
switchCase       : ( CASE caseLabel ( COMMA caseLabel )* | defaultWord ) COLON block ;
caseLabel        : matching? expression ;
matching         : MATCH ;
forStatement     : FOR LPAREN declaredName IN expression RPAREN block ;
countStatement   : COUNT declaredName arguments? SEMI ;
logStatement     : LOG LBRACE ( logPair ( COMMA logPair? )* )? RBRACE SEMI ;
logPair          : memberName ASSIGN expression ;
allowStatement   : ALLOW arguments SEMI ;
builtinStatement : BUILTIN SEMI ;
invariant        : INVARIANT string LBRACE expression RBRACE ;
labelled         : annotation statement ;

// ---- expressions, loosest first

expression  : conjunction ( OR conjunction )* ;
conjunction : negation ( AND negation )* ;
negation    : negated* comparison ;
comparison  : arithmetic ( comparator arithmetic capture? | presence )* ;
comparator  : EQ | NE | LT | LE | GT | GE | MATCH | NO_MATCH | IN | STARTS | ENDS | CONTAINS ;
capture     : AS declaredName ;
presence    : IS IS_NOT? memberName ;
arithmetic  : minus? coalesce ( arithmeticOp minus? coalesce )* ;
coalesce    : postfix ( COALESCE minus? postfix )* ;
arithmeticOp : PLUS | MINUS | STAR | SLASH | PERCENT ;
minus       : MINUS ;

postfix
    : name ( ( arguments | subscript ) member* )?
    | ( string | number | blob | parenthesised ) member*
    | listLiteral
    ;

member        : DOT memberName arguments? | subscript ;
subscript     : LBRACKET expression RBRACKET ;
listLiteral : LBRACKET ( expression ( COMMA expression? )* )? RBRACKET ;
memberName    : IDENTIFIER ;
parenthesised : LPAREN expression RPAREN ;
arguments     : LPAREN ( argument ( COMMA argument? )* )? RPAREN ;
argument      : expression ( ASSIGN expression )? ;

name   : IDENTIFIER ( DOT ( IDENTIFIER | STRING ) )* ;
number : NUMBER IDENTIFIER? ;
string : STRING | LONG_STRING | TRIPLE_STRING ;
blob   : BLOB ;
