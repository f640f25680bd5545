/* Syntax of VCL 4.0 and 4.1.
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
aclFlag    : ( PLUS | MINUS ) IDENTIFIER ;
aclEntry   : negated? ( optionalAddress | aclAddress ) SEMI ;
optionalAddress : LPAREN negated? aclAddress RPAREN ;
aclAddress : string ( SLASH maskBits )? ;
negated    : NOT ;
maskBits   : NUMBER ;

subroutine : SUB declaredName block ;

// Only in files of tests (NAME.test.vcl); syntax/parser.py refuses it elsewhere.
testCase : TEST string block ;

importModule : IMPORT declaredName ( AS importAlias )? ( FROM string )? SEMI ;
importAlias  : IDENTIFIER ;

declaredName : IDENTIFIER ;
inlineC      : INLINE_C ;

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
condition   : LPAREN expression RPAREN ;

// ---- expressions, loosest first

expression  : conjunction ( OR conjunction )* ;
conjunction : negation ( AND negation )* ;
negation    : negated* comparison ;
comparison  : arithmetic ( comparator arithmetic )* ;
comparator  : EQ | NE | LT | LE | GT | GE | MATCH | NO_MATCH ;
arithmetic  : minus? postfix ( arithmeticOp minus? postfix )* ;
arithmeticOp : PLUS | MINUS | STAR | SLASH | PERCENT ;
minus       : MINUS ;

postfix
    : name ( arguments member* )?
    | ( string | number | blob | parenthesised ) member*
    ;

member        : DOT memberName arguments? ;
memberName    : IDENTIFIER ;
parenthesised : LPAREN expression RPAREN ;
arguments     : LPAREN ( argument ( COMMA argument? )* )? RPAREN ;
argument      : expression ( ASSIGN expression )? ;

name   : IDENTIFIER ( DOT ( IDENTIFIER | STRING ) )* ;
number : NUMBER IDENTIFIER? ;
string : STRING | LONG_STRING | TRIPLE_STRING ;
blob   : BLOB ;
