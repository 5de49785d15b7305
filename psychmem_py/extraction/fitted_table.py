"""The table of `fitted`, in tenths of log odds by feature. Made by `python -m benchmarks.fit --write`; not edited by hand."""

# fmt: off
BASE = -15
_BY_WEIGHT = {
    -7: """
        within:11
    """,
    -6: """
        ? @asks lines:4
    """,
    -5: """
        how
    """,
    -4: """
        : at:0 but:observation long:3
    """,
    -3: """
        @names ^<code> ^that another at:3 but:hedge but:task_request fix in+the lines:2 long:5 see
    """,
    -2: """
        2 3 @capital ^can ^how ^is again all at:2 at:4 back but:question card code continue does doesn't git have+a how+the
        i+would if+the line lines:1 long:2 match of:layout of:pointer possible problem prompt so style test things to+add try
        turn two what what+is within:10 within:2 within:3 within:9 would your
    """,
    -1: """
        10 12 6 7 8 <code> <code>+: <code>+<code> <code>+for <code>+to @opens @reply ^and ^at ^before ^better ^but ^change
        ^commit ^create ^fix ^have ^i'll ^look ^name ^now ^please ^remove ^should ^something ^this ^update ^what ^would ^you
        about actions actually add add+the added+to adding ai all+of already am an and and+can and+i and+make and+should
        and+the and+what anything apply architecture aren't args at+all at+this at:1 avoid b back+to backend bar base because
        been being below best best+way browser bunch bunch+of but but+still but:hypothetical but:quotation but:smalltalk
        button by called can't can+i can+see cannot change+the changes changes+to chat check check+that check+the codex
        command commands comment components consider console contain content correct correctly could could+be coverage create
        create+<code> creating critical current cursor data+is deploy did diff discuss displayed do+i do+the docs
        documentation does+it don't+see e e+g each empty ensure+the entries env error error+: etc exist existing exists
        explain fetching field fields figure figure+out file+and files find fit fix+the fixed for+<code> for+a for+this found
        from+<code> g generate get github give given happened hard have+been html human i'll i'm+not i+am i+do i+need import
        important information input inside instructions integration into+a is+it is+not is+this is:cause is:ensure is:want
        issues it+be it+does it+will kinds:0 last lets level lines lines:3 list loading logs long:4 long:6 long:7 long:8 look
        lot lot+of made main making many map mark matter maybe me me+and me+the memory message might might+be missing models n
        naming needs nice normal not+a null of+your of:resolution on+<code> on+a open original other people phase please
        position potentially previous process progress proper properly push questions readme really remote required resolution
        returns review row runs says script scripts second section see+the seeing seem seem+to seems separate share shell
        should+use show so+that so+we some sort space split standard start+with started state+and status step still store+the
        string success suggest summary sure+it takes talk test+coverage than the+api the+best the+comment the+data
        the+documentation the+existing the+files the+first the+full the+information the+main the+new the+previous the+problem
        the+same the+second the+test the+two then+i this this+approach though thought three to+<code> to+check to+do to+each
        to+find to+have to+implement to+just to+move to+this tool top transcript try+to up up+with upload values variable
        verify verifying version via want+to was we+just we+need were what's what+we when+i when+the whole why why+is without
        would+like written you+can you+see
    """,
    1: """
        ! 0 1+: 4 4+1 9 <code>+from ^all ^alright ^also ^don't ^for ^i ^instead ^it ^it's ^let's ^lets ^looks ^then ^use ^when
        ^write a a+better a+new a+pr a+table a+test a+way achieve add+a add+some addition after agent agents ahead ahead+and
        alright also+a and+<code> and+implement and+just and+not and+then and+update app apple approach are+you as as+a
        assignment auto based basically both build but+it but:at_hand but:narration c can can+be can+we cause change+it
        changelog choose clear color commit commit+and commits component connection could+we create+a data+from day described
        did+you directories directory display do do+it do+not don't+like don't+think done dont down down+to download easier
        easier+to either end enough entire environment every everything everything+is exit fails failure false feature follow
        following for+example for+now for+the forget from+the frontend functions future gemini generated get+the gets go
        go+ahead go+through good+but has+been have here+is hidden i i'd i'd+like i+got i+think idea if+it if+you implement+the
        in+<code> in+mind in+this individual inner into is+<code> is+a is+just is+no is+the is+to is+used is+what is:dont_want
        is:forever is:habit is:milestone is:must is:prefer is:remember is:use_not it it's+a it+? it+but it+in it+into
        it+should it+to it+would items its java join js json just+for keep key know language larger let's+do let+me like+that
        like+the long:9 make+a make+sure make+the means meant metadata mind more move+the much multi must my name need
        need+the needed never new next+js not+have not+just note of+<code> of+the of:pronoun okay one only openai outside own
        p parameter parsing part+of pass path paths per place policy pr python read+that read+the record refer reference
        remove response rule run same saved say scratch selected send server settings should+be should+just single so+i so+the
        solution source starting state+of storage strings stuff super support supposed supposed+to sure system tables+and task
        testing tests+in that that's that+i that+the that+we the+<code> the+end the+future the+logic the+name the+order
        the+repo the+tables their+own then+the there's there+is they they're this+one this+to to to+a to+achieve to+change
        to+keep to+make to+read to+run to+use toggle too types ui update+the url us used user+can using+the way way+to we
        we+are we+have what+you where where+the which while why+are with within:5 write writing y yet you+are you+have
        you+just
    """,
    2: """
        / <code>+is @asked ^wait ^we always are+not are+the before better claude directly doing events exactly file fine
        folder for good has i+don't if implement in+a into+the is:fact is:note it's it+is keep+the let let's make not+be
        of:agreement of:code of:verb_request once option our project read root setup since somewhere text the the+state
        they+are think this+is to+be use+<code> use+the wait within:8 you
    """,
    3: """
        @begun ^no are be change database don't from in is:choice is:important is:should kinds:1 kinds:3 limit no+need
        of:person of:reserve of:rulebook over start the+database the+tests the+user update user want will
    """,
    4: """
        @item also is:never no should tests then
    """,
    5: """
        is:always
    """,
    6: """
        is just kinds:2 use
    """,
}
TABLE = {name: weight for weight, names in _BY_WEIGHT.items() for name in names.split()}
